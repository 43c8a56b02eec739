import { CopyIcon, PhoneIcon } from 'lucide-react';
import { useState } from 'react';
import * as api from '#contract/api.ts';
import { ContactForm, type Contacts } from '#contract/collection.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { addDays } from '#domain/calendar.ts';
import { contactChannels, contactOutcomes } from '#domain/contact.ts';
import { limits } from '#domain/limits.ts';
import { tones } from '#web/lib/chip-tones.ts';
import { useFormValues } from '#web/lib/form.ts';
import { today } from '#web/lib/lender.ts';
import { useMoneyCall } from '#web/lib/money-call.ts';
import { refreshReads, useRead } from '#web/lib/query.tsx';
import { QueryStates } from '#web/lib/query-states.tsx';
import { useUser } from '#web/lib/session.tsx';
import { Warning } from '#web/panel/lib/details.tsx';
import { FormDialog } from '#web/panel/lib/dialogs.tsx';
import { CheckField } from '#web/panel/lib/form-field.tsx';
import { date, dateTime, showPeso } from '#web/panel/lib/format.ts';
import { copyText } from '#web/panel/lib/secret.tsx';
import { rulesOfBody, useStaffForm } from '#web/panel/lib/staff-action.ts';
import { Button, buttonStyle } from '#web/ui/button.tsx';
import { SkeletonText } from '#web/ui/skeleton.tsx';
import { StatusChip } from '#web/ui/status-chip.tsx';

const words = panel.contact;

type Of = { loanId: number; loanNumber: string; name: string; phone: string | null };

const shownAtOnce = 4;

/** Says how to reach the borrower, whether that is allowed now, and what was said before (§contact-guard). */
export function ContactBlock(of: Of) {
  const query = useRead(api.listContacts, { params: { id: of.loanId }, anew: true });
  return (
    <QueryStates query={query} failedTitle={words.failed} skeleton={<SkeletonText lines={4} />}>
      {(contacts) => <Contacted of={of} {...contacts} />}
    </QueryStates>
  );
}

function Contacted({ of, ...asked }: Contacts & { of: Of }) {
  const { phone } = of;
  const { contacts, may } = asked;
  const { roles } = useUser();
  const [isRecording, setRecording] = useState(false);
  const [showsAll, setShowsAll] = useState(false);
  return (
    <div className="flex flex-col gap-3 text-14">
      {phone && (
        <div className="flex flex-wrap items-center gap-2">
          <span className="mr-auto font-heading text-20 font-bold tabular-nums">{phone}</span>
          <span className="flex gap-2">
            {may && (
              <a
                href={`tel:${phone.replace(/[^+\d]/g, '')}`}
                className={buttonStyle({ look: 'secondary', size: 'small' })}
              >
                <PhoneIcon />
                {words.call}
              </a>
            )}
            <Button
              look="quiet"
              icon={<CopyIcon />}
              onClick={() => void copyText(phone, panel.memberForm.phone)}
            >
              {words.copy}
            </Button>
          </span>
        </div>
      )}
      <ContactGuard {...asked} />
      {contacts.length === 0 && <p className="text-ink-soft">{words.none}</p>}
      <ol className="divide-y divide-line empty:hidden">
        {contacts.slice(0, showsAll ? undefined : shownAtOnce).map((contact) => (
          <ContactLine key={contact.at} contact={contact} />
        ))}
      </ol>
      <div className="flex flex-wrap justify-between gap-2">
        {roles?.includes('collector') && (
          <Button look="secondary" onClick={() => setRecording(true)}>
            {words.record}
          </Button>
        )}
        {contacts.length > shownAtOnce && (
          <Button look="quiet" onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? panel.loanAccount.showFewer : panel.loanAccount.showAll(contacts.length)}
          </Button>
        )}
      </div>
      {isRecording && <RecordDialog {...of} asked={asked} onClose={() => setRecording(false)} />}
    </div>
  );
}

type GuardProps = Pick<Contacts, 'reason' | 'next'> & { isSaid?: boolean };

export const ContactGuard = ({ reason, next, isSaid = false }: GuardProps) =>
  reason &&
  next && <Warning isSaid={isSaid}>{words.notAllowed(words.whyNot[reason], dateTime(next))}</Warning>;

function ContactLine({ contact }: { contact: Contacts['contacts'][number] }) {
  const { at, by, channel, outcome, note, promise, made } = contact;
  return (
    <li className="py-2.5">
      <p className="font-semibold">
        {words.channels[channel]} · {words.outcomes[outcome]}
      </p>
      {note && <p className="wrap-anywhere">“{note}”</p>}
      {promise && (
        <p className="flex flex-wrap items-center gap-x-2 tabular-nums">
          {words.promised(showPeso(promise.amount), date(promise.date))}
          {promise.state !== 'open' && (
            <StatusChip tone={tones.promise[promise.state]}>{words.promises[promise.state]}</StatusChip>
          )}
        </p>
      )}
      <p className="text-12 text-ink-soft wrap-anywhere">
        {dateTime(at)} {panel.servicing.by(by)}
        {made && ` · ${words.made}`}
      </p>
    </li>
  );
}

const firstValues = {
  channel: 'call',
  outcome: 'reached',
  note: '',
  'promise.date': '',
  'promise.amount': '',
  made: false,
};
type Values = typeof firstValues;

function bodyOf({ note, made, 'promise.date': day, 'promise.amount': amount, ...rest }: Values) {
  return {
    ...rest,
    ...(note.trim() && { note }),
    ...((day || amount) && { promise: { date: day, amount } }),
    ...(made && { made }),
  };
}

const rules = rulesOfBody(ContactForm, bodyOf);
const choices = <Value extends string>(values: readonly Value[], labels: Record<Value, string>) =>
  values.map((value) => ({ value, label: labels[value] }));

type RecordProps = Of & { asked: Contacts; onClose: () => void };

function RecordDialog({ loanId, loanNumber, name, asked, onClose }: RecordProps) {
  const { stop, send } = useMoneyCall(api.recordContact);
  const aside = panel.list.optional;
  const lastPromiseDay = addDays(today(), limits.promiseAheadDays);
  const mayNot = (outcome: string) => !asked.may && outcome !== 'incoming';
  const form = useStaffForm(rules, {
    values: firstValues,
    keptAs: `contact ${loanId}`,
    fields: {
      channel: {
        kind: 'select',
        label: words.channel,
        options: choices(contactChannels, words.channels),
        isFirst: true,
      },
      outcome: { kind: 'select', label: words.outcome, options: choices(contactOutcomes, words.outcomes) },
      'promise.date': { ...words.promiseDate, aside, kind: 'day', min: today(), max: lastPromiseDay },
      'promise.amount': { kind: 'pesos', label: words.promiseAmount, aside },
      note: { kind: 'remark', label: words.note, aside, fieldClassName: 'col-span-2' },
    },
    send: ({ made, ...typed }) => {
      const body = bodyOf({ ...typed, made: made && mayNot(typed.outcome) }) as never;
      return send({ params: { id: loanId }, body });
    },
    done: words.done,
    failedTitle: words.notDone,
    // After a refusal too: somebody else may have called.
    onAnswered: () => {
      for (const row of [api.listContacts, api.listCollections]) void refreshReads(row);
    },
    onSaved: onClose,
  });
  const isForbidden = mayNot(useFormValues(form).outcome);
  return (
    <FormDialog
      title={words.record}
      description={panel.loanStep.of(loanNumber, name)}
      form={{ ...form, stop }}
      saveLabel={words.record}
      onClose={onClose}
    >
      <div className="grid grid-cols-2 items-start gap-4">{form.fields}</div>
      {isForbidden && (
        <div className="flex flex-col gap-2">
          <ContactGuard {...asked} isSaid />
          <CheckField label={words.anyway} onCheck={(made) => form.setValue('made', made)} />
        </div>
      )}
    </FormDialog>
  );
}
