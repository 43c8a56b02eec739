import { useState } from 'react';
import * as z from 'zod/mini';
import * as api from '#contract/api.ts';
import {
  BalanceReason,
  balance,
  creditScore,
  issuedCode,
  issuedPassword,
  type Member,
} from '#contract/member.ts';
import type { StaffLoan } from '#contract/staff-loan.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { manilaDate, manilaTime } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { centavos, formatPeso, parsePesos } from '#domain/money.ts';
import { codeOf } from '#web/lib/call-error.ts';
import { useFormValues } from '#web/lib/form.ts';
import { lender, now, today } from '#web/lib/lender.ts';
import { useMoneyCall } from '#web/lib/money-call.ts';
import { useUser } from '#web/lib/session.tsx';
import { PanelEdit, PanelForm, PanelRow } from '#web/panel/lib/details.tsx';
import { ConfirmDialog } from '#web/panel/lib/dialogs.tsx';
import { date, showPeso } from '#web/panel/lib/format.ts';
import { memberName } from '#web/panel/lib/list-view.ts';
import {
  CopyButton,
  DetailsButton,
  randomCode,
  randomPassword,
  type Secret,
  SecretButtons,
  useSecret,
} from '#web/panel/lib/secret.tsx';
import { memberRow, useStaffForm } from '#web/panel/lib/staff-action.ts';
import { acceptMember, findMemberRow, updateMember } from '#web/panel/lib/staff-rows.ts';
import { TextField } from '#web/ui/text-field.tsx';

const words = panel.memberPanel;

type MoneyHolder = StaffLoan['user'] & Partial<Member>;

type MoneyProps = { member: MoneyHolder; onRelease?: (() => void) | undefined };

/**
 * A member's phone, and balance, score with its trend (§credit-score) and one-time code, each edited in place: in the
 * member's details, and in a loan's, where `onRelease` is offered instead of raising the balance. Give it the member's
 * id as its `key`.
 */
export function MemberMoney({ member, onRelease }: MoneyProps) {
  const trend = Number(member.creditTrend ?? 0);
  return (
    <>
      <PanelRow
        label={panel.members.columns.phone}
        value={member.phone}
        action={<CopyButton text={member.phone} what={panel.memberForm.phone} />}
      />
      <PanelEdit
        label={words.balance}
        value={
          <>
            {showPeso(member.balance)}
            {member.creditWithoutLoanAt && (
              <span className="block text-12 text-warn">
                {panel.credit.noteOn(date(member.creditWithoutLoanAt))}
              </span>
            )}
          </>
        }
        action={words.adjust}
        actionOf={words.adjustHidden}
      >
        {(close) => <BalanceEditor member={member} onRelease={onRelease} onClose={close} />}
      </PanelEdit>
      <PanelEdit
        label={words.score}
        value={
          <>
            {member.creditScore}
            {trend !== 0 && (
              <span className={trend > 0 ? 'ml-1.5 text-good' : 'ml-1.5 text-bad'}>
                {trend > 0 ? '+' : ''}
                {member.creditTrend}%
              </span>
            )}
          </>
        }
        action={panel.list.edit}
        actionOf={words.editHidden}
      >
        {(close) => <ScoreEditor member={member} onClose={close} />}
      </PanelEdit>
      <SecretRow member={member} kind={secretKinds.code} />
    </>
  );
}

const ScoreForm = z.object({ creditScore });

function ScoreEditor({ member, onClose }: { member: MoneyHolder; onClose: () => void }) {
  const { staffCreditScoreMin: min, staffCreditScoreMax: max } = limits;
  const opened = { creditScore: member.creditScore };
  const form = useStaffForm(ScoreForm, {
    values: opened,
    fields: {
      creditScore: {
        kind: 'number',
        label: words.newScore,
        aside: words.scoreNow(member.creditScore),
        hint: words.scoreHint(min, max),
        min,
        max,
        step: 1,
      },
    },
    edited: { opened, read: ({ creditScore }) => ({ creditScore: Number(creditScore) }) },
    send: (_, edit) => edit && updateMember(member.id, edit),
    done: (_, typed, edit) => words.change(String(edit?.expected?.creditScore), String(typed.creditScore)),
    failedTitle: panel.toasts.updateFailed,
    row: memberRow(member.id),
    onSaved: onClose,
    onUnchanged: onClose,
  });
  return <PanelForm saveLabel={words.saveScore} form={form} onCancel={onClose} />;
}

const hourMs = 3_600_000;

function hoursLeft(expiresAt: string | null | undefined): string | undefined {
  if (!expiresAt) return undefined;
  const leftMs = new Date(expiresAt).getTime() - now().getTime();
  return words.hoursLeft(Math.max(0, Math.floor(leftMs / hourMs)));
}

/** Since when a member has been waiting for a code: today's time, else the day. */
export function CodeRequestMark({ member: { codeRequestedAt } }: { member: MoneyHolder }) {
  if (!codeRequestedAt) return null;
  const moment = new Date(codeRequestedAt);
  const isToday = manilaDate(moment) === today();
  return (
    <span className="font-semibold text-warn">
      {panel.codeRequest.since(isToday ? manilaTime(moment) : date(codeRequestedAt))}
    </span>
  );
}

/** `note` is under the secret, where one is set. */
export const secretKinds = {
  code: {
    ...words.code,
    name: 'otpCode',
    role: 'cashier',
    setAs: 'hasOtpCode',
    note: hoursLeft,
    field: 'otpCode',
    rule: issuedCode,
    hidden: '••••••',
    generate: () => randomCode(limits.otpLength),
    input: { ...words.code.input, inputMode: 'numeric' },
  },
  password: {
    ...words.password,
    name: 'plainPassword',
    role: 'approver',
    setAs: 'hasIssuedPassword',
    note: () => words.issued,
    field: 'password',
    rule: issuedPassword,
    hidden: '••••••••',
    unset: panel.list.dash,
    generate: randomPassword,
    input: { ...words.password.input, autoCapitalize: 'none', spellCheck: false },
  },
} as const;

type SecretRowProps = { member: MoneyHolder; kind: (typeof secretKinds)[keyof typeof secretKinds] };

/** The one-time code, or the issued password: dashes to who may not set it, and so not read it. */
export function SecretRow(props: SecretRowProps) {
  const { member, kind } = props;
  if (useUser().roles?.includes(kind.role)) return <OpenSecretRow {...props} />;
  const isAskedFor = kind.name === 'otpCode' && <CodeRequestMark member={member} />;
  return (
    <PanelRow
      label={kind.label}
      value={
        <>
          {panel.list.dash}
          {isAskedFor && <span className="block text-12">{isAskedFor}</span>}
        </>
      }
    />
  );
}

/** Typed in sight, because staff have to tell it to the member. */
function OpenSecretRow({ member, kind }: SecretRowProps) {
  const { label, of } = kind;
  const secret = useSecret(memberRow(member.id), kind.name);
  const isSet = member[kind.setAs] === true;
  // Good for one withdrawal and account only, and not for staff to see.
  const isByText = kind.name === 'otpCode' && isSet && member.otpByText === true;
  const shown = isSet ? secret.value : undefined;
  const note = kind.note(member.otpExpiresAt ?? secret.expiresAt);
  return (
    <PanelEdit
      label={label}
      value={
        <>
          {isSet ? (
            <>
              {isByText ? (
                words.code.byText
              ) : (
                <span translate="no" className={shown === undefined ? '' : 'font-mono'}>
                  {shown ?? kind.hidden}
                </span>
              )}
              {note && <span className="block text-12 font-normal text-ink-soft">{note}</span>}
            </>
          ) : (
            kind.unset
          )}
          {kind.name === 'otpCode' && (
            <span className="block text-12">
              <CodeRequestMark member={member} />
            </span>
          )}
        </>
      }
      before={isSet && !isByText && <SecretButtons what={label} of={of} secret={secret} />}
      action={panel.list.set}
      actionOf={of}
    >
      {(close) => <SecretEditor member={member} kind={kind} onSaved={secret.set} onClose={close} />}
    </PanelEdit>
  );
}

type SecretEditorProps = SecretRowProps & {
  onSaved: Secret['set'];
  onClose: () => void;
};

function SecretEditor({ member: { id }, kind, onSaved, onClose }: SecretEditorProps) {
  const { field, rule, saved: title, of, generate } = kind;
  const [schema] = useState(() => z.object({ [field]: rule }));
  const form = useStaffForm(schema, {
    values: { [field]: '' },
    send: (body) => updateMember(id, body),
    done: ({ otpTexted }) => ({
      title,
      description: otpTexted ? words.code.textedToo : panel.list.tellsMember,
    }),
    failedTitle: panel.toasts.updateFailed,
    row: memberRow(id),
    onSaved: (answer, typed) => {
      onSaved(typed[field] ?? '', answer);
      onClose();
    },
  });
  return (
    <PanelForm saveLabel={kind.saveLabel} form={form} onCancel={onClose}>
      <TextField
        {...form.field(field, (typed) => (field === 'otpCode' ? typed.replace(/\s/g, '') : typed))}
        {...kind.input}
        {...(field === 'otpCode' && lender().messages?.codes === 'sms' && { hint: words.code.textsHint })}
        aside={
          <DetailsButton of={of} onClick={() => form.setValue(field, generate())}>
            {panel.list.generate}
          </DetailsButton>
        }
      />
    </PanelForm>
  );
}

const BalanceForm = z.object({ balance, reason: BalanceReason });
type TypedBalance = z.input<typeof BalanceForm>;
const reasonChoices = BalanceReason.options.map((value) => ({ value, label: words.reasons[value] }));

/**
 * Sets a member's balance. The request carries the balance on screen; if it has changed since, nothing is overwritten:
 * the form says what changed, keeps what was typed, and the next try starts from the new balance.
 */
function BalanceEditor({ member, onRelease, onClose }: MoneyProps & { onClose: () => void }) {
  const { stop, send } = useMoneyCall(api.updateMember);
  const [seen, setSeen] = useState(member.balance);
  const [moved, setMoved] = useState<string>();
  const [isAsked, setAsked] = useState(false);
  const form = useStaffForm(BalanceForm, {
    values: { balance: '', reason: 'admin_adjustment' } as TypedBalance,
    fields: {
      balance: { kind: 'pesos', label: words.newBalance, aside: showPeso(seen) },
      reason: { kind: 'select', label: words.reason, options: reasonChoices },
    },
    send: (typed) =>
      send({ params: { id: member.id }, body: { ...typed, expectedBalance: seen } }).then(acceptMember),
    done: (_, { balance: after }) => words.change(showPeso(seen), showPeso(String(after))),
    failedTitle: panel.toasts.updateFailed,
    row: memberRow(member.id),
    onAnswered: async (result) => {
      if (result.ok || codeOf(result.error) !== 'balance_changed') return;
      const fresh = await findMemberRow(member).catch(() => undefined);
      if (!fresh) return;
      setMoved(words.balanceMoved({ before: showPeso(seen), now: showPeso(fresh.balance) }));
      setSeen(fresh.balance);
    },
    onSaved: onClose,
  });
  const change = changeOf(seen, useFormValues(form).balance);

  const ask = form.handleSubmit((typed) => {
    if (changeOf(seen, typed.balance)?.differenceCentavos !== 0) setAsked(true);
    else form.setError('balance', words.balanceSame);
  });

  return (
    <>
      <PanelForm saveLabel={words.saveBalance} form={{ onSubmit: ask }} onCancel={onClose}>
        {moved !== undefined && (
          <p role="alert" className="rounded-small bg-warn-tint px-3 py-2 text-14 text-warn">
            {moved}
          </p>
        )}
        {form.fields}
        {onRelease && (
          <DetailsButton of="" onClick={onRelease}>
            {words.releaseInstead}
          </DetailsButton>
        )}
        <p role="status" className="min-h-10 text-14 tabular-nums">
          {change && (
            <>
              <span className="block font-semibold">{words.change(change.before, change.after)}</span>
              <span className="text-12 text-ink-soft">{words.difference(change.difference)}</span>
            </>
          )}
        </p>
      </PanelForm>
      {isAsked && change && (
        <ConfirmDialog
          look="primary"
          title={words.balanceTitle(memberName(member))}
          text={words.balanceText(change)}
          confirmLabel={words.saveBalance}
          // Nothing can be typed behind the dialog, so this sends what it says.
          onConfirm={form.onSubmit}
          onStop={stop}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  );
}

/** Returns the change that the typed balance makes; undefined while it is not an amount. */
function changeOf(seen: string, typed: string | number) {
  const before = parsePesos(seen);
  const after = parsePesos(typed);
  if (before === undefined || after === undefined) return undefined;
  const differenceCentavos = centavos(after - before);
  return {
    before: formatPeso(before),
    after: formatPeso(after),
    differenceCentavos,
    difference: `${differenceCentavos > 0 ? '+' : ''}${formatPeso(differenceCentavos)}`,
  };
}
