import { useAccountWords } from '#web/lib/account-words.ts';
import { lender } from '#web/lib/lender.ts';
import { SupportContact } from '#web/lib/support-contact.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { AlertIcon } from '#web/ui/icons.tsx';

/** How to reach support: only staff reset passwords, after verifying the caller (§issued-passwords). */
export default function ForgotDialog({ onClose }: { onClose: () => void }) {
  const { forgot, session, shell } = useAccountWords();
  const { supportHours } = lender();
  return (
    <Dialog open onClose={onClose} closeLabel={shell.close} title={session.forgot} description={forgot.text}>
      <SupportContact className="-ml-0.5" />
      {supportHours && <p className="text-14 text-ink-soft">{supportHours}</p>}
      <h3 className="mt-3 font-semibold">{forgot.have}</h3>
      <ul className="mt-1 list-disc pl-5 text-14">
        {forgot.things.map((thing) => (
          <li key={thing}>{thing}</li>
        ))}
      </ul>
      <p className="mt-3 text-14">{forgot.lostPhone}</p>
      <Banner tone="warn" icon={<AlertIcon />} className="mt-4">
        {forgot.neverAsk}
      </Banner>
    </Dialog>
  );
}
