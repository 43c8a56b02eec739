import { CopyIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Lender } from '#contract/lender.ts';
import { channelMaxCentavos } from '#domain/payment.ts';
import { useAccountWords } from '#web/lib/all-words.ts';
import { copyText } from '#web/lib/copy-text.ts';
import { amountOf } from '#web/lib/pesos.ts';
import { buttonStyle, QuietButton } from '#web/ui/button.tsx';

export type Account = NonNullable<Lender['paymentAccounts']>[number];

/** `amount` is empty until one is known. */
export type Payee = { account: Account | undefined; amount: string; reference: string };

/** Returns how many transfers of this channel carry the amount. */
export const transfersOf = (channel: Account['channel'], amount: string): number =>
  Math.ceil(amountOf(amount) / channelMaxCentavos(channel));

/** Writes an amount the way a bank's app takes it. */
const typedOf = (amount: string) => amount.replace(/\.00$/, '');

/** Copies account, amount and reference at once. */
export function useCopyAll({ account, amount, reference }: Payee): () => void {
  const { myLoan, papers, pay } = useAccountWords();
  const facts = [
    [pay.accountName, account?.accountName],
    [pay.accountNumber, account?.accountNumber],
    [papers.amount, amount && typedOf(amount)],
    [myLoan.reference, reference],
  ];
  const text = facts.flatMap(([term, fact]) => (fact ? `${term}: ${fact}` : [])).join('\n');
  return () =>
    void copyText(
      text,
      { title: pay.copied, description: amount ? pay.copiedAll : pay.copiedWithoutAmount },
      { title: pay.copyFailed, description: pay.copyByHand },
    );
}

function CopyButton({ text, name }: { text: string; name: string }) {
  const { pay } = useAccountWords();
  const done = { title: pay.copied, description: text };
  return (
    <QuietButton
      icon={<CopyIcon />}
      className="-my-1 -mr-3 shrink-0"
      aria-label={name}
      onClick={() => void copyText(text, done, { title: pay.copyFailed, description: pay.copyByHand })}
    >
      {pay.copy}
    </QuietButton>
  );
}

type Fact = { term: string; shown: ReactNode; copy?: { text: string; name: string } };

/** One account: its QR code, and the facts that one types into a bank's app. */
export function PayInto({ account, amount, reference }: Payee) {
  const { myLoan, papers, pay, peso } = useAccountWords();
  const transfers = account ? transfersOf(account.channel, amount) : 1;
  const facts: (Fact | false | undefined)[] = [
    account?.accountName !== undefined && { term: pay.accountName, shown: account.accountName },
    account?.accountNumber !== undefined && {
      term: pay.accountNumber,
      shown: account.accountNumber,
      copy: { text: account.accountNumber, name: pay.copyAccountNumber },
    },
    amount !== '' && {
      term: papers.amount,
      shown: <span className="font-heading text-20 font-bold">{peso(amount)}</span>,
      copy: { text: typedOf(amount), name: pay.copyAmount },
    },
    { term: myLoan.reference, shown: reference, copy: { text: reference, name: pay.copyReference } },
  ];
  return (
    <>
      {account?.qrImage && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-card border border-line p-3">
          <img
            src={account.qrImage}
            alt={pay.qrOf(account.name)}
            className="aspect-square w-36 max-w-full rounded-small bg-[#fff] object-contain p-1.5 sm:w-48"
          />
          <div className="flex flex-[1_1_8.5rem] flex-col gap-3">
            <p className="text-14 text-ink-soft sm:hidden">{pay.qrHow}</p>
            <a
              href={account.qrImage}
              download
              className={buttonStyle({ look: 'secondary', size: 'compact', wide: true })}
            >
              {pay.savePicture}
            </a>
          </div>
        </div>
      )}
      <dl className="flex flex-col divide-y divide-line border-y border-line *:py-2" translate="no">
        {facts.map(
          (fact) =>
            fact && (
              <div key={fact.term}>
                <dt className="text-12 text-ink-soft">{fact.term}</dt>
                <dd className="flex items-center justify-between gap-x-3 font-semibold tabular-nums wrap-anywhere">
                  {fact.shown}
                  {fact.copy && <CopyButton {...fact.copy} />}
                </dd>
              </div>
            ),
        )}
      </dl>
      {account?.note && <p className="text-14 text-ink-soft">{account.note}</p>}
      {transfers > 1 && <p className="text-14 font-semibold">{pay.severalTransfers(transfers)}</p>}
    </>
  );
}
