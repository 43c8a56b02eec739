import type { ReactNode } from 'react';
import * as api from '#contract/api.ts';
import { panel } from '#contract/wording/panel.ts';
import { usePageTitle } from '#web/lib/page-title.ts';
import { useRead } from '#web/lib/query.tsx';
import { useUser } from '#web/lib/session.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { Card } from '#web/ui/card.tsx';
import { AddAdminForm, AdminList } from './admin-accounts.tsx';
import { AddIpForm, AllowedIps } from './allowed-ips.tsx';

const { settings, allowedIps } = panel;

/** Admin accounts and, for the main admin, adding them and the allow-list (§main-admin). */
export default function SettingsPage() {
  const { isMainAdmin } = useUser();
  usePageTitle(settings.title);
  return (
    <>
      <h1 className="mb-4 font-heading text-32 font-bold tracking-[-0.01em]">{settings.title}</h1>
      <div className="flex max-w-360 flex-col gap-8">
        {isMainAdmin && <ErasingPaused />}
        <Part title={settings.admins} text={settings.adminsText}>
          <AdminList />
        </Part>
        {isMainAdmin && (
          <div className="grid grid-cols-[minmax(16rem,2fr)_minmax(0,5fr)] items-start gap-6">
            <Part title={settings.add} text={settings.addText}>
              <Card>
                <AddAdminForm />
              </Card>
            </Part>
            <Part title={allowedIps.title} text={allowedIps.text}>
              <Card>
                <AddIpForm />
              </Card>
              <AllowedIps />
            </Part>
          </div>
        )}
      </div>
    </>
  );
}

/** Warns while there is still time to correct the clock. */
function ErasingPaused() {
  if (!useRead(api.readInstallation).data?.isErasingPaused) return null;
  return (
    <Banner tone="warn" role="status" title={settings.erasingPausedTitle}>
      {settings.erasingPausedText}
    </Banner>
  );
}

type PartProps = { title: string; text: string; children: ReactNode };

/** Not a region: named 'Allowed IP Addresses' it would be mistaken for the 'IP address' field. */
function Part({ title, text, children }: PartProps) {
  return (
    <section className="flex flex-col gap-2.5">
      <h2 className="font-heading text-20 font-bold">{title}</h2>
      <p className="-mt-1 text-14 text-ink-soft">{text}</p>
      {children}
    </section>
  );
}
