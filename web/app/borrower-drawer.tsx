import { LogInIcon, LogOutIcon, MailIcon, PhoneIcon, SmartphoneIcon, XIcon } from 'lucide-react';
import { useId, useSyncExternalStore } from 'react';
import { Link, useLocation } from 'wouter';
import { paths } from '#contract/routes.ts';
import { install as english } from '#contract/wording/en-install.ts';
import { useWordsOf } from '#web/lib/format.ts';
import { canInstall, install, installChanged } from '#web/lib/install-prompt.ts';
import { useCoreWords } from '#web/lib/language.tsx';
import { brand, lender as theLender } from '#web/lib/lender.ts';
import { useSession } from '#web/lib/session.tsx';
import { buttonStyle, IconButton } from '#web/ui/button.tsx';
import { MailLink, PhoneLink } from '#web/ui/contact-link.tsx';
import { MenuHead, menuEntry, menuPlaces } from '#web/ui/menu.tsx';
import { Modal } from '#web/ui/modal.tsx';

/** The menu of the top bar, a modal drawer (§navigation). Signed out it offers Login instead of Logout. */
type Props = { onClose: () => void; onReopen: () => void };

export function BorrowerDrawer({ onClose: close, onReopen }: Props) {
  const { lender, shell } = useCoreWords();
  const session = useSession();
  const [location] = useLocation();
  const { supportEmail, supportPhone } = theLender();
  const { install: words } = useWordsOf({ install: english });
  const isInstallable = useSyncExternalStore(installChanged.listen, canInstall);
  const id = useId();
  const isSignedOut = session.state === 'signedOut';
  const links = [
    ...menuPlaces(shell, isSignedOut ? paths.landing : paths.home),
    ...(isSignedOut ? [{ to: paths.signIn, label: shell.login, Icon: LogInIcon }] : []),
  ];
  // The home page is at both: Home is lit, not Dashboard.
  const place = location === paths.dashboard ? paths.home : location;
  return (
    <Modal onClose={close} onReopen={onReopen} labelledBy={id}>
      <MenuHead
        id={id}
        title={shell.menu}
        brand={brand()}
        person={
          session.state === 'signedIn' ? (
            <p className="min-w-0 text-14 wrap-anywhere">
              <b className="block font-heading text-20">{session.user.fullName}</b>
              <span className="text-on-deep-soft">{session.user.phone}</span>
            </p>
          ) : undefined
        }
      >
        <IconButton label={shell.closeMenu} className="text-on-deep! hover:bg-on-deep/10!" onClick={close}>
          <XIcon />
        </IconButton>
      </MenuHead>
      <div className="flex flex-1 flex-col overflow-y-auto">
        <nav aria-label={shell.menu} className="grow px-3 py-3">
          <ul className="flex flex-col gap-1 wide:gap-0">
            {links.map(({ to, label, Icon }) => (
              <li key={label}>
                {to === paths.landing ? (
                  // A plain link: the landing page is outside the app.
                  <a href={paths.landing} className={menuEntry}>
                    <Icon />
                    {label}
                  </a>
                ) : (
                  <Link
                    href={to}
                    // A second entry for the page that one is on would make Back do nothing.
                    replace={to.split('?')[0] === place}
                    aria-current={to === place && label !== shell.dashboard ? 'page' : undefined}
                    className={menuEntry}
                    onClick={close}
                  >
                    <Icon />
                    {label}
                  </Link>
                )}
              </li>
            ))}
            {!isSignedOut && isInstallable && (
              <li>
                <button
                  type="button"
                  className={menuEntry}
                  onClick={() => {
                    close();
                    install();
                  }}
                >
                  <SmartphoneIcon />
                  {words.action}
                </button>
              </li>
            )}
            {!isSignedOut && (
              <li className="mt-2 border-t border-line pt-2">
                <button
                  type="button"
                  className={menuEntry}
                  onClick={() => {
                    close();
                    session.signOut();
                  }}
                >
                  <LogOutIcon />
                  {shell.logout}
                </button>
              </li>
            )}
          </ul>
        </nav>
        <div className="border-t border-line px-6 py-3 text-14">
          {lender.support}
          <PhoneLink
            to={supportPhone}
            icon={<PhoneIcon />}
            className={`${buttonStyle({ look: 'secondary', wide: true })} mt-2`}
          />
          <MailLink
            to={supportEmail}
            icon={<MailIcon className="shrink-0" />}
            className={`${buttonStyle({ look: 'quiet', wide: true })} min-w-0 wrap-anywhere`}
          />
        </div>
        {session.state === 'signedIn' && session.user.isAdmin && (
          <div className="border-t border-line px-6 py-4 pb-[calc(1rem+env(safe-area-inset-bottom))] text-14 text-ink-soft">
            {shell.panelIsForDesktop}
          </div>
        )}
      </div>
    </Modal>
  );
}
