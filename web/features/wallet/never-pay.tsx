import { useAccountWords } from '#web/lib/account-words.ts';
import { SupportContact } from '#web/lib/support-contact.tsx';

/** The warning against advance-fee fraud, shown in every installation (§never-pay). */
export function NeverPay() {
  const { wallet } = useAccountWords();
  return (
    <div className="text-center text-ink-soft">
      <p className="text-12 text-balance">{wallet.neverPay}</p>
      <SupportContact />
    </div>
  );
}
