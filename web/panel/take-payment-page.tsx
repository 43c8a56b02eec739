import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import * as api from '#contract/api.ts';
import type { Reply } from '#contract/endpoint.ts';
import { loanAccountPath } from '#contract/routes.ts';
import { PaymentForm, type StaffPayment } from '#contract/servicing.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { limits } from '#domain/limits.ts';
import { centavos, parsePesos, sum } from '#domain/money.ts';
import { isLive, needsReference, type PaymentChannel } from '#domain/payment.ts';
import { useFormValues } from '#web/lib/form.ts';
import { today } from '#web/lib/lender.ts';
import { useMoneyCall } from '#web/lib/money-call.ts';
import { usePageTitle } from '#web/lib/page-title.ts';
import { useRead } from '#web/lib/query.tsx';
import { QueryStates } from '#web/lib/query-states.tsx';
import { useUser } from '#web/lib/session.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card, CardSection } from '#web/ui/card.tsx';
import { ChoiceField } from '#web/ui/choice-field.tsx';
import { DefinitionRows } from '#web/ui/definition-rows.tsx';
import { SkeletonText } from '#web/ui/skeleton.tsx';
import { idFilter, useAddress } from './lib/address-filters.tsx';
import { PanelLink, Warning } from './lib/details.tsx';
import { MyDrawer, refreshDrawers } from './lib/drawer.tsx';
import { FormField } from './lib/form-field.tsx';
import { date, showPeso } from './lib/format.ts';
import { memberName } from './lib/list-view.ts';
import { LoanSearch } from './lib/loan-search.tsx';
import { PanelTitle } from './lib/panel-title.tsx';
import { loanRow, rulesOfBody, useStaffForm } from './lib/staff-action.ts';
import { refreshLoan, type StaffLoanAccount, useLoanAccount } from './lib/staff-rows.ts';
import { unbroken } from './lib/unbroken.tsx';
import { channelChoices } from './loan/loan-text.ts';
import { PreviewPart, usePreview } from './loan/step-preview.tsx';

const words = panel.takePayment;
const { channels } = panel.servicing;

/** The loan in the address, where a link may lead to it. */
const loanReading = { loan: idFilter };

/** The counter: one field finds the loan, Enter records what was paid, and the focus is back in the field. */
export default function TakePaymentPage() {
  usePageTitle(words.title);
  const { roles } = useUser();
  const { query, put } = useAddress(loanReading);
  const loanId = query.loan === '' ? undefined : Number(query.loan);
  const setLoanId = (id: number | undefined) => {
    if (id !== loanId) put({ loan: id });
  };
  const [done, setDone] = useState(0);
  const onDone = () => {
    setLoanId(undefined);
    setDone((count) => count + 1);
  };
  return (
    <>
      <PanelTitle className="mb-4">{words.title}</PanelTitle>
      {!roles?.includes('cashier') && <Warning>{words.roleMissing}</Warning>}
      <div className="grid grid-cols-[minmax(0,5fr)_minmax(18rem,3fr)] items-start gap-6">
        <div className="flex flex-col gap-6">
          <Card>
            <LoanSearch key={`search ${done}`} isChosen={loanId !== undefined} onChoose={setLoanId} />
          </Card>
          {loanId !== undefined && <Payment key={`payment ${loanId}`} loanId={loanId} onDone={onDone} />}
        </div>
        <div className="flex flex-col gap-6">
          <MyDrawer />
          <TakenToday />
        </div>
      </div>
    </>
  );
}

type PaymentProps = { loanId: number; onDone: () => void };

function Payment({ loanId, onDone }: PaymentProps) {
  // The loan is read anew: what is due comes from this reply.
  const query = useLoanAccount(loanId);
  const isRead = query.data && query.isFetchedAfterMount;
  return (
    <CardSection title={words.payment}>
      {isRead ? (
        <CounterForm loan={query.data} onDone={onDone} />
      ) : (
        <QueryStates query={query} skeleton={<SkeletonText lines={5} />} failedTitle={words.loadFailed}>
          {() => null}
        </QueryStates>
      )}
    </CardSection>
  );
}

/** Money from the wallet takes a reason: it is recorded in the loan's account. */
const choices = channelChoices.filter(({ value }) => value !== 'wallet');

/** A letter in any field but the reference chooses the channel: the arrow keys would take up to six presses. */
const letters: Partial<Record<string, PaymentChannel>> = {
  c: 'cash',
  b: 'bank_transfer',
  i: 'instapay',
  p: 'pesonet',
  g: 'gcash',
  m: 'maya',
  q: 'cheque',
};

const letterHint = Object.entries(letters)
  .flatMap(([letter, channel]) =>
    channel ? [`${letter.toUpperCase()}\u00a0${channels[channel].replaceAll(' ', '\u00a0')}`] : [],
  )
  .join(' · ');

type Typed = { amount: string | number; channel: string; reference: string };

const bodyOf = ({ amount, channel, reference }: Typed) => ({
  amount,
  channel: channel as PaymentChannel,
  ...(needsReference(channel as PaymentChannel) && reference !== '' && { reference }),
});

function CounterForm({ loan, onDone }: { loan: StaffLoanAccount; onDone: () => void }) {
  const { loanId, loanNumber, account } = loan;
  const { stop, send } = useMoneyCall(api.recordPayment);
  const due = account.dueNow === '0.00' ? account.nextDueAmount : account.dueNow;
  const form = useStaffForm(
    rulesOfBody<Typed>(PaymentForm, (typed) => bodyOf(typed)),
    {
      values: { amount: due.replace(/\.00$/, ''), channel: 'cash', reference: '' } as Typed,
      send: (typed) => send({ params: { id: loanId }, body: bodyOf(typed) }),
      done: (answer) => doneText(loanNumber, answer),
      row: loanRow(loanId),
      onAnswered: () => {
        void refreshLoan();
        refreshDrawers();
      },
      onSaved: onDone,
    },
  );
  const typed = useFormValues(form);
  const body = bodyOf(typed);
  const isWhole = PaymentForm.safeParse(body).success;
  const preview = usePreview(loanId, isWhole ? { ...body, step: 'payment' } : undefined);
  const isReferenceWanted = needsReference(typed.channel as PaymentChannel);
  const box = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const input = box.current?.querySelector('input');
    input?.focus();
    input?.select();
  }, []);
  const isLettered = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the field is there once its channel is chosen
  useEffect(() => {
    if (isLettered.current) box.current?.querySelector<HTMLElement>('input[name=reference]')?.focus();
    isLettered.current = false;
  }, [typed.channel]);

  function onKeyDown(event: KeyboardEvent<HTMLFormElement>) {
    const { key, target, ctrlKey, altKey, metaKey } = event;
    const channel = letters[key.toLowerCase()];
    const isText = target instanceof HTMLInputElement && target.name === 'reference';
    if (!channel || isText || ctrlKey || altKey || metaKey) return;
    event.preventDefault();
    isLettered.current = channel !== typed.channel;
    form.setValue('channel', channel);
  }

  return (
    <form ref={box} noValidate onSubmit={form.onSubmit} onKeyDown={onKeyDown} className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <p className="font-heading text-20 font-bold wrap-anywhere">
          {unbroken(words.of(loanNumber, memberName(loan.loan.user)))}
        </p>
        <p className="-mx-3">
          <PanelLink wide={false} href={loanAccountPath(loanId)}>
            {words.account}
          </PanelLink>
        </p>
      </div>
      <DefinitionRows
        size={14}
        rows={[
          { term: words.dueNow, value: showPeso(account.dueNow), strong: true },
          {
            term: words.next,
            value:
              account.nextDueDate && words.onDate(showPeso(account.nextDueAmount), date(account.nextDueDate)),
          },
        ]}
      />
      {form.banner}
      <FormField form={form} name="amount" kind="pesos" label={words.amount} />
      <ChoiceField
        label={words.channel}
        className="grid-cols-4 gap-2"
        options={choices}
        value={typed.channel}
        onValueChange={(value) => form.setValue('channel', value)}
      />
      <p className="-mt-2 text-12 text-ink-soft">{words.letters(letterHint)}</p>
      {/* The button stays beside the last field, so that both are in sight on a low screen. */}
      <div className="flex flex-wrap items-start gap-3">
        {isReferenceWanted && (
          <FormField
            form={form}
            name="reference"
            label={words.reference}
            spellCheck={false}
            maxLength={limits.shortTextMaxLength}
            fieldClassName="min-w-40 flex-1"
          />
        )}
        <Button
          type="submit"
          className={isReferenceWanted ? 'mt-6.5' : undefined}
          busy={form.busy}
          busyLabel={panel.list.saving}
        >
          {words.submit}
        </Button>
        {stop && (
          <Button look="secondary" onClick={stop}>
            {panel.list.stopWaiting}
          </Button>
        )}
      </div>
      <PreviewPart preview={preview} />
    </form>
  );
}

function doneText(loanNumber: string, answer: Reply<typeof api.recordPayment>) {
  const step = panel.loanStep;
  if ('approval' in answer) return { title: step.waits, description: step.waitsText };
  if (answer.status === 'submitted') return { title: step.toConfirm, description: step.toConfirmText };
  const facts = { loanNumber, amount: showPeso(answer.amount), receipt: answer.receiptNumber ?? '' };
  return step.done.payment({ ...facts, what: '', months: 0 });
}

/** Says how a payment without a receipt stands, in the words of *Payments*. */
function NoReceipt({ id, status }: Pick<StaffPayment, 'id' | 'status'>) {
  const open = useRead(api.listApprovals, { query: { status: 'open' } }).data;
  const isRequested = open?.some(({ payment }) => payment?.id === id) ?? false;
  return isRequested ? panel.payments.inApprovals : panel.servicing.paymentStatuses[status];
}

/** Adds up what came in; a payment that was reversed or rejected did not. */
const takenOf = (payments: readonly StaffPayment[]) =>
  sum(payments.filter(({ status }) => isLive(status)).map(({ amount }) => parsePesos(amount) ?? centavos(0)));

/** Lists the payments that this person recorded today, the newest first. */
function TakenToday() {
  const { id } = useUser();
  const query = useRead(api.listPayments, {
    query: { from: today(), by: String(id) },
    anew: true,
  });
  return (
    <CardSection title={words.today}>
      <QueryStates query={query} skeleton={<SkeletonText lines={3} />} failedTitle={words.todayFailed}>
        {(payments) =>
          payments.length > 0 ? (
            <ul className="flex flex-col gap-2 text-14">
              <li className="border-b border-line pb-2 text-ink-soft">
                {words.takenSum(payments.length, showPeso(takenOf(payments)))}
              </li>
              {payments.map(({ id, receiptNumber, amount, channel, status, loanId, loanNumber, user }) => (
                <li key={id} className="flex items-baseline justify-between gap-3">
                  <span className="min-w-0">
                    <Link
                      href={loanAccountPath(loanId)}
                      className="block font-semibold text-leaf underline underline-offset-2"
                    >
                      {receiptNumber ?? <NoReceipt id={id} status={status} />}
                    </Link>
                    <span className="block truncate text-12 text-ink-soft">
                      <bdi>{user.fullName}</bdi>
                    </span>
                    <span className="block text-12 text-ink-soft whitespace-nowrap">
                      {[
                        loanNumber,
                        channels[channel],
                        status === 'reversed' && panel.servicing.paymentStatuses.reversed,
                      ]
                        .filter(Boolean)
                        .join(' · ')}
                    </span>
                  </span>
                  <span
                    className={`tabular-nums ${status === 'reversed' ? 'line-through' : 'font-semibold'}`}
                  >
                    {showPeso(amount)}
                  </span>
                </li>
              ))}
            </ul>
          ) : (
            <p className="text-14 text-ink-soft">{words.todayNone}</p>
          )
        }
      </QueryStates>
    </CardSection>
  );
}
