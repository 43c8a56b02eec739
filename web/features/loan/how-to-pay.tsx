import { CopyIcon } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Lender } from '#contract/lender.ts';
import { paths } from '#contract/routes.ts';
import { channelMaxCentavos, wayOf } from '#domain/payment.ts';
import { useAccountWords } from '#web/lib/all-words.ts';
import { copyText } from '#web/lib/copy-text.ts';
import { lender } from '#web/lib/lender.ts';
import { amountOf } from '#web/lib/pesos.ts';
import { useUser } from '#web/lib/session.tsx';
import { SupportContact } from '#web/lib/support-contact.tsx';
import { Amount } from '#web/ui/amount.tsx';
import { Button, buttonStyle, QuietButton } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { ChoiceField } from '#web/ui/choice-field.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Places } from '#web/ui/places.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { HavePaid } from './have-paid.tsx';
import { PayFromWallet } from './pay-from-wallet.tsx';

type Account = NonNullable<Lender['paymentAccounts']>[number];

type HowToPayProps = {
  loan: { id: number; loanNumber: string };
  /** The amount due; for a part, only the field's first value. */
  amount: string;
  isPart: boolean;
  payBy: string | undefined;
  onClose: () => void;
  onReopen: () => void;
};

/** Shows where to pay and with which reference, and leads to saying what was paid (§own-payments). */
export function HowToPay({ loan, amount, isPart, payBy, onClose, onReopen }: HowToPayProps) {
  const { myLoan, pay, payment, shell, longDate, peso } = useAccountWords();
  const { balance } = useUser();
  const { paymentAccounts = [], branches = [] } = lender();
  const ways = (['wallet', 'bank', 'cash'] as const).filter(
    (way) =>
      paymentAccounts.some(({ channel }) => wayOf(channel) === way) ||
      (way === 'cash' && paymentAccounts.length > 0 && branches.length > 0),
  );
  const [way, setWay] = useState(ways[0] ?? 'wallet');
  const [chosen, setChosen] = useState<number>();
  const [next, setNext] = useState<'paid' | 'wallet'>();
  const accounts = paymentAccounts.filter(({ channel }) => wayOf(channel) === way);
  // Preferably one that takes the amount in one transfer.
  const takesAll = ({ channel }: Account) => isPart || transfersOf(channel, amount) <= 1;
  const index = chosen ?? Math.max(0, accounts.findIndex(takesAll));
  const account = accounts[index];

  const step = { onClose, onBack: () => setNext(undefined), onReopen: () => setNext(next) };
  if (next === 'paid') {
    const channel = account?.channel ?? (way === 'cash' ? way : undefined);
    return <HavePaid {...{ loan, channel, ...step }} amount={isPart ? '' : amount} />;
  }
  if (next === 'wallet') return <PayFromWallet {...{ loan, amount, ...step }} />;
  return (
    <Dialog
      {...{ onClose, onReopen }}
      title={isPart ? payment.payPart : payment.howToPay}
      closeLabel={shell.close}
    >
      <div className="flex flex-col gap-4">
        <div>
          {isPart ? (
            <p>{pay.anyAmount}</p>
          ) : (
            <p className="flex flex-wrap items-center justify-between gap-x-3">
              <Amount size={32}>{peso(amount)}</Amount>
              <CopyButton text={amount.replace(/\.00$/, '')} name={pay.copyAmount} />
            </p>
          )}
          {payBy && (
            <p className="text-14 text-ink-soft">
              {myLoan.payBy} <b className="text-ink">{longDate(payBy)}</b>
            </p>
          )}
        </div>
        {ways.length === 0 ? (
          <>
            <AskStaff />
            <PayInto reference={loan.loanNumber} />
          </>
        ) : (
          <Tabs
            label={pay.ways}
            tabs={ways.map((value) => ({ value, label: pay.groups[value] }))}
            value={way}
            onValueChange={(value) => {
              setWay(value);
              setChosen(undefined);
            }}
          >
            <div className="flex flex-col gap-3">
              {accounts.length > 1 ? (
                <ChoiceField
                  label={pay.into}
                  options={accounts.map(({ name, channel }, value) => ({
                    value,
                    // A bank may take two kinds of transfer.
                    label: way === 'bank' ? `${name} · ${myLoan.channels[channel]}` : name,
                  }))}
                  value={index}
                  onValueChange={setChosen}
                  className="grid-cols-[repeat(auto-fit,minmax(min(9rem,100%),1fr))] gap-2"
                />
              ) : (
                account && <p className="font-semibold">{account.name}</p>
              )}
              <PayInto account={account} amount={isPart ? undefined : amount} reference={loan.loanNumber} />
              {way === 'cash' && <Places title={myLoan.payAt} places={branches} />}
            </div>
          </Tabs>
        )}
        <Card look="sunken" className="flex flex-wrap items-center justify-between gap-3">
          <p className="min-w-0 flex-[1_1_10rem] text-14">
            <b className="block">{pay.alreadyPaid}</b>
            {pay.sendSlip}
          </p>
          <Button size="compact" onClick={() => setNext('paid')}>
            {pay.havePaid}
          </Button>
        </Card>
        {amountOf(balance) > 0 && (
          <Button look="secondary" wide onClick={() => setNext('wallet')}>
            {payment.fromWallet}
          </Button>
        )}
        <p className="text-center text-12 text-ink-soft">
          {pay.neverPerson}{' '}
          <Link
            href={paths.help}
            className="inline-flex min-h-6 items-center font-semibold text-leaf underline underline-offset-2"
          >
            {pay.report}
          </Link>
        </p>
      </div>
    </Dialog>
  );
}

function CopyButton({ text, name }: { text: string; name: string }) {
  const { pay } = useAccountWords();
  const done = { title: pay.copied, description: text };
  return (
    <QuietButton
      icon={<CopyIcon />}
      className="-mr-3"
      aria-label={name}
      onClick={() => void copyText(text, done, { title: pay.copyFailed, description: pay.copyByHand })}
    >
      {pay.copy}
    </QuietButton>
  );
}

const transfersOf = (channel: Account['channel'], amount: string) =>
  Math.ceil(amountOf(amount) / channelMaxCentavos(channel));

type PayIntoProps = { account?: Account | undefined; amount?: string | undefined; reference: string };

/** The facts that one types into a bank's app. */
function PayInto({ account, amount = '0', reference }: PayIntoProps) {
  const { myLoan, pay } = useAccountWords();
  const transfers = account ? transfersOf(account.channel, amount) : 1;
  const facts = [
    [pay.accountName, account?.accountName],
    [pay.accountNumber, account?.accountNumber, pay.copyAccountNumber],
    [myLoan.reference, reference, pay.copyReference],
  ] as const;
  return (
    <>
      {account?.qrImage && (
        <div className="flex flex-col items-center gap-3">
          <img
            src={account.qrImage}
            alt={pay.qrOf(account.name)}
            className="aspect-square w-55 max-w-full bg-white object-contain p-2"
          />
          <a href={account.qrImage} download className={buttonStyle({ look: 'secondary', wide: true })}>
            {pay.savePicture}
          </a>
        </div>
      )}
      <dl className="flex flex-col divide-y divide-line border-y border-line *:py-2">
        {facts.map(
          ([term, text, copyName]) =>
            text && (
              <div key={term}>
                <dt className="text-12 text-ink-soft">{term}</dt>
                <dd className="flex items-center justify-between gap-x-3 font-semibold tabular-nums wrap-anywhere">
                  {text}
                  {copyName && <CopyButton text={text} name={copyName} />}
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

/** Tells borrowers to ask staff, if the lender has not named its accounts. */
function AskStaff() {
  const { myLoan } = useAccountWords();
  const { branches, payoutChannels, supportHours } = lender();
  return (
    <div className="flex flex-col gap-3 text-14">
      <p>
        <b>{myLoan.payThrough}</b> {payoutChannels.join(', ')}
      </p>
      <Places title={myLoan.payAt} places={branches} />
      <div>
        <p>{myLoan.askWhere}</p>
        <SupportContact />
        {supportHours && <p className="text-12 text-ink-soft">{supportHours}</p>}
      </div>
    </div>
  );
}
