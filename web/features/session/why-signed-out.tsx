import { useAccountWords } from '#web/lib/account-words.ts';
import { SupportContact } from '#web/lib/support-contact.tsx';
import type { TokenLoss } from '#web/lib/token.ts';
import { Banner } from '#web/ui/banner.tsx';
import { InfoIcon } from '#web/ui/icons.tsx';

/** Stays on the sign-in screen after the toast is gone. */
export default function WhySignedOut({ loss }: { loss: TokenLoss }) {
  const { signedOut } = useAccountWords();
  return (
    <Banner
      tone="warn"
      icon={<InfoIcon />}
      title={signedOut.title}
      action={<SupportContact className="-ml-0.5" />}
    >
      {signedOut[loss]}
    </Banner>
  );
}
