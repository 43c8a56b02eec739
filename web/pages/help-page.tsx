import { MailIcon, MapPinIcon, PhoneIcon } from 'lucide-react';
import { type FormEventHandler, type ReactNode, useState } from 'react';
import * as api from '#contract/borrower-endpoints.ts';
import { type Complaint, ComplaintForm, ComplaintMessageForm } from '#contract/collection.ts';
import { complaintCategories, isFinalComplaint } from '#domain/complaint.ts';
import { limits } from '#domain/limits.ts';
import { useAction } from '#web/lib/action.ts';
import { useAccountWords } from '#web/lib/all-words.ts';
import { tones } from '#web/lib/chip-tones.ts';
import { ComplaintMessages } from '#web/lib/complaint-messages.tsx';
import { type SchemaForm, useSchemaForm } from '#web/lib/form.ts';
import { KeptLine } from '#web/lib/kept-line.tsx';
import { lender } from '#web/lib/lender.ts';
import { type MoneyCallState, useMoneyCall } from '#web/lib/money-call.ts';
import { MoneyDialog } from '#web/lib/money-dialog.tsx';
import { PageHead } from '#web/lib/page-head.tsx';
import { refreshReads, useRead } from '#web/lib/query.tsx';
import { QueryStates } from '#web/lib/query-states.tsx';
import { ReadTime } from '#web/lib/read-time.tsx';
import { toast } from '#web/lib/toast-store.ts';
import { useTypedValues } from '#web/lib/typed-values.ts';
import { Columns } from '#web/ui/borrower-frame.tsx';
import { Button, QuietButton } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { MailLink, PhoneLink } from '#web/ui/contact-link.tsx';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { SkeletonText } from '#web/ui/skeleton.tsx';
import { StatusChip } from '#web/ui/status-chip.tsx';
import { TextArea } from '#web/ui/text-field.tsx';

/** Says how to reach the lender, and lists the borrower's complaints (§complaints). */
export default function HelpPage() {
  const { help, shell } = useAccountWords();
  const hasComplaints = Boolean(useRead(api.listOwnComplaints).data?.length);
  return (
    <>
      <PageHead title={shell.help} reads={hasComplaints && [api.listOwnComplaints]} />
      <Columns>
        <div className="flex flex-col gap-[inherit] max-wide:contents">
          <HowToReachUs />
          <section aria-labelledby="complaints" className="max-wide:order-1">
            <Complaints />
          </section>
        </div>
        <Card padding="none" className="divide-y divide-line *:px-card *:py-1 wide:self-stretch">
          <h2 className="pt-4.5! pb-3.5! font-heading text-20 font-bold">{help.questions}</h2>
          {help.answers(lender().decisionDays).map(([question, answer], index) => (
            <Disclosure key={question} title={question} isOpen={index === 0}>
              <p className="pb-3 text-ink-soft">{answer}</p>
            </Disclosure>
          ))}
        </Card>
      </Columns>
    </>
  );
}

function HowToReachUs() {
  const { dashboard, help } = useAccountWords();
  const { address, supportPhone, supportEmail, supportHours } = lender();
  const whole = 'wrap-anywhere after:absolute after:inset-0 [&>span]:whitespace-normal';
  const ways = [
    {
      Icon: PhoneIcon,
      way: <PhoneLink to={supportPhone} asks={dashboard.call} className={whole} />,
      note: supportHours,
    },
    { Icon: MailIcon, way: <MailLink to={supportEmail} className={whole} />, note: help.write },
    { Icon: MapPinIcon, way: help.visit, note: address },
  ];
  return (
    <Card>
      <h2 className="font-heading text-20 font-bold">{help.lead}</h2>
      <p className="text-14 text-ink-soft">{help.leadText}</p>
      <ul className="mt-3 -mb-3 divide-y divide-line">
        {ways.map(({ Icon, way, note }) => (
          <li key={note} className="relative flex min-h-17 items-center gap-3.5 py-2.5">
            <Icon className="size-10 shrink-0 rounded-full bg-leaf-tint p-2.5 text-leaf max-[22.5rem]:hidden" />
            <div className="min-w-0 font-semibold">
              {way}
              <p className="text-14 font-normal text-ink-soft">{note}</p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Complaints() {
  const { help } = useAccountWords();
  const read = useRead(api.listOwnComplaints, { anew: true });
  const [isNew, setNew] = useState(false);
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <div className="flex-[1_1_18rem]">
          <h2 id="complaints" className="font-heading text-20 font-bold">
            {help.complaints}
          </h2>
          <p className="text-14 text-ink-soft">
            {help.complaintsText(limits.complaintAcknowledgedWithinDays, limits.complaintResolvedWithinDays)}
          </p>
        </div>
        <Button look="secondary" className="grow wide:max-w-80" onClick={() => setNew(true)}>
          {help.newComplaint}
        </Button>
      </div>
      <QueryStates query={read} failedTitle={help.failed} skeleton={<SkeletonText lines={3} />}>
        {(complaints) =>
          complaints.length === 0 ? (
            <p className="border-t border-line pt-3 text-14 text-ink-soft">{help.none}</p>
          ) : (
            <>
              <ReadTime at={read.dataUpdatedAt} />
              <ul className="divide-y divide-line">
                {complaints.map((complaint) => (
                  <OneComplaint key={complaint.id} complaint={complaint} />
                ))}
              </ul>
            </>
          )
        }
      </QueryStates>
      {isNew && <NewComplaint onClose={() => setNew(false)} onReopen={() => setNew(true)} />}
    </Card>
  );
}

function OneComplaint({ complaint }: { complaint: Complaint }) {
  const { help, date } = useAccountWords();
  const { category, status, loanNumber, acknowledgeBy, resolveBy, resolvedAt, withdrawnAt } = complaint;
  const [asked, setAsked] = useState<'more' | 'takeBack'>();
  const close = () => setAsked(undefined);
  const clock =
    resolvedAt !== null
      ? help.settledOn(date(resolvedAt))
      : withdrawnAt !== null
        ? help.takenBackOn(date(withdrawnAt))
        : status === 'open'
          ? help.answerBy(date(acknowledgeBy))
          : help.settleBy(date(resolveBy));
  return (
    <li className="flex flex-col gap-3 py-4 last:pb-0">
      <div>
        <h3 className="font-semibold">{help.categories[category]}</h3>
        {loanNumber && <p className="text-12 text-ink-soft">{loanNumber}</p>}
      </div>
      <p className="flex flex-wrap items-center gap-2 text-14">
        <StatusChip tone={tones.complaint[status]}>{help.states[status]}</StatusChip>
        <span>{clock}</span>
      </p>
      <ComplaintMessages
        messages={complaint.messages}
        nameOf={({ isStaff }) => (isStaff ? help.us : help.you)}
      />
      {!isFinalComplaint(status) && (
        <div className="flex flex-wrap gap-x-2">
          <QuietButton onClick={() => setAsked('more')}>{help.writeMore}</QuietButton>
          <QuietButton onClick={() => setAsked('takeBack')}>{help.takeBack}</QuietButton>
        </div>
      )}
      {asked === 'more' && <WriteMore id={complaint.id} onClose={close} onReopen={() => setAsked('more')} />}
      {asked === 'takeBack' && <TakeBack id={complaint.id} onClose={close} />}
    </li>
  );
}

type Leaving = { onClose: () => void; onReopen: () => void };

function NewComplaint(leaving: Leaving) {
  const { help, peso } = useAccountWords();
  const loans = useRead(api.listOwnLoans).data ?? [];
  const money = useMoneyCall(api.complain);
  const form = useSchemaForm(ComplaintForm, {
    defaultValues: { category: 'service' as Complaint['category'], loanId: undefined, message: '' },
    kept: useTypedValues('complaint'),
  });
  return (
    <MessageDialog
      title={help.newComplaint}
      form={form}
      state={money.state}
      send={(body) => money.send({ body })}
      {...leaving}
    >
      <SelectField
        {...form.field('category')}
        label={help.about}
        options={complaintCategories.map((value) => ({ value, label: help.categories[value] }))}
      />
      {loans.length > 0 && (
        <SelectField
          {...form.field('loanId', (typed) => (typed === '' ? undefined : Number(typed)))}
          label={help.loan}
          options={[
            { value: '', label: help.noLoan },
            ...loans.map(({ id, loanNumber, amount }) => ({
              value: String(id),
              label: `${loanNumber} · ${peso(amount)}`,
            })),
          ]}
        />
      )}
      <TextArea
        {...form.field('message')}
        label={help.message}
        rows={4}
        maxLength={limits.messageMaxLength}
      />
    </MessageDialog>
  );
}

function WriteMore({ id, ...leaving }: Leaving & { id: number }) {
  const { help } = useAccountWords();
  const money = useMoneyCall(api.answerComplaint);
  const form = useSchemaForm(ComplaintMessageForm, {
    defaultValues: { message: '' },
    kept: useTypedValues(`complaint ${id}`),
  });
  return (
    <MessageDialog
      title={help.writeMore}
      form={form}
      state={money.state}
      send={(body) => money.send({ params: { id }, body })}
      {...leaving}
    >
      <TextArea {...form.field('message')} label={help.more} rows={4} maxLength={limits.messageMaxLength} />
    </MessageDialog>
  );
}

function TakeBack({ id, onClose }: { id: number; onClose: () => void }) {
  const { help } = useAccountWords();
  const { state, send } = useMoneyCall(api.withdrawComplaint);
  const [, run] = useAction();
  const submit: FormEventHandler = (event) => {
    event.preventDefault();
    void run(help.notTakenBack, async () => {
      await send({ params: { id }, body: { status: 'withdrawn' } });
      toast({ title: help.takenBack });
      onClose();
      await refreshReads(api.listOwnComplaints);
    });
  };
  return (
    <MoneyDialog
      state={state}
      title={help.takeBackTitle}
      description={help.takeBackText}
      onSubmit={submit}
      submitLabel={help.takeBack}
      onClose={onClose}
      onUnknown={() => void refreshReads(api.listOwnComplaints)}
    >
      {null}
    </MoneyDialog>
  );
}

type MessageDialogProps<Values extends object> = Leaving & {
  title: string;
  form: SchemaForm<Values>;
  state: MoneyCallState;
  send: (body: Values) => Promise<Complaint>;
  children: ReactNode;
};

/** Sends a complaint or more about it, and says by when it is answered. The typed text survives a failure. */
function MessageDialog<Values extends object>(props: MessageDialogProps<Values>) {
  const { form, send, children, ...dialog } = props;
  const { help, typed, date } = useAccountWords();
  const [, run] = useAction();
  const submit = form.handleSubmit((body) =>
    run(
      help.sendFailed,
      async () => {
        const { status, acknowledgeBy, resolveBy } = await send(body);
        const by = status === 'open' ? help.answerBy(date(acknowledgeBy)) : help.settleBy(date(resolveBy));
        form.kept?.forget();
        toast({ title: help.sent, description: by });
        dialog.onClose();
        await refreshReads(api.listOwnComplaints);
      },
      form.showServerErrors,
    ),
  );
  return (
    <MoneyDialog
      {...dialog}
      onCancel={form.kept?.forget}
      description={undefined}
      onSubmit={submit}
      submitLabel={help.send}
      onUnknown={() => void refreshReads(api.listOwnComplaints)}
    >
      <KeptLine form={form} words={typed} />
      {children}
    </MoneyDialog>
  );
}
