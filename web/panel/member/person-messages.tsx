import { useState } from 'react';
import * as api from '#contract/api.ts';
import type { Member } from '#contract/member.ts';
import { paths } from '#contract/routes.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { limits } from '#domain/limits.ts';
import { addressOf } from '#web/lib/call.ts';
import { tones } from '#web/lib/chip-tones.ts';
import { refreshReads, useRead } from '#web/lib/query.tsx';
import { useUser } from '#web/lib/session.tsx';
import { PanelLink, PanelRow } from '#web/panel/lib/details.tsx';
import { ConfirmDialog } from '#web/panel/lib/dialogs.tsx';
import { date, dateTime } from '#web/panel/lib/format.ts';
import { memberName } from '#web/panel/lib/list-view.ts';
import { useMessageChannels } from '#web/panel/lib/message-channels.ts';
import { kindText, reasonText } from '#web/panel/lib/message-text.ts';
import { DetailsButton } from '#web/panel/lib/secret.tsx';
import { memberRow, useStaffAction } from '#web/panel/lib/staff-action.ts';
import { updateMember } from '#web/panel/lib/staff-rows.ts';
import { StatusChip } from '#web/ui/status-chip.tsx';

const words = panel.messages.ofPerson;

type Props = {
  member: Pick<
    Member,
    'id' | 'fullName' | 'phone' | 'email' | 'phoneConfirmedAt' | 'phoneConfirmedBy' | 'emailConfirmedAt'
  >;
  /** After the phone was confirmed. */
  onChanged?: () => unknown;
};

/** Shows if a member's phone and e-mail address are confirmed, and the last messages there; nothing without a channel or a row. */
export function PersonMessages({ member, onChanged }: Props) {
  const { isUsed, setUp } = useMessageChannels();
  if (!isUsed) return null;
  return (
    <section className="border-t border-line py-4">
      <h3 className="mb-2 font-heading text-16 font-bold">{words.title}</h3>
      <Confirmations {...{ member, onChanged }} hasSms={setUp.includes('sms')} />
      <LastMessages userId={member.id} />
    </section>
  );
}

function Confirmations({ member, onChanged, hasSms }: Props & { hasSms: boolean }) {
  const { roles } = useUser();
  const [isAsked, setAsked] = useState(false);
  const act = useStaffAction();
  const { id, phone, email, phoneConfirmedAt, phoneConfirmedBy, emailConfirmedAt } = member;
  const confirm = async () => {
    await act(updateMember(id, { phoneConfirmed: true }), { done: words.confirmDone, row: memberRow(id) });
    void refreshReads(api.listMessages);
    await onChanged?.();
  };
  const mayConfirm = hasSms && phoneConfirmedAt === null && roles?.includes('encoder');
  return (
    <>
      <PanelRow
        label={words.phoneConfirmed}
        value={
          phoneConfirmedAt === null
            ? words.notConfirmed
            : (phoneConfirmedBy === 'staff' ? words.byStaff : words.confirmed)(date(phoneConfirmedAt))
        }
        action={
          mayConfirm && (
            <DetailsButton of="" onClick={() => setAsked(true)}>
              {words.confirmPhone}
            </DetailsButton>
          )
        }
      />
      <PanelRow
        label={words.emailConfirmed}
        value={
          emailConfirmedAt !== null
            ? words.confirmed(date(emailConfirmedAt))
            : email
              ? words.notConfirmed
              : words.noEmail
        }
      />
      {isAsked && (
        <ConfirmDialog
          title={words.confirmTitle}
          text={words.confirmText({ name: memberName(member), phone })}
          confirmLabel={words.confirmPhone}
          look="primary"
          onConfirm={confirm}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  );
}

function LastMessages({ userId }: { userId: number }) {
  const query = { userId: String(userId), limit: String(limits.shortListRows) };
  const read = useRead(api.listMessages, { query, anew: true });
  const sent = read.data;
  if (!sent?.length) {
    const text = read.isError ? words.failed : sent ? words.none : panel.list.searching;
    return <p className="border-t border-line pt-2.5 text-14 text-ink-soft">{text}</p>;
  }
  return (
    <>
      <ul className="divide-y divide-line border-t border-line">
        {sent.map(({ id, at, kind, channel, state, reason }) => (
          <li key={id} className="flex items-start justify-between gap-3 py-2 text-14">
            <span className="min-w-0">
              <span className="block font-semibold wrap-anywhere">{kindText(kind)}</span>
              <span className="block text-12 text-ink-soft">
                {[dateTime(at), panel.messages.channels[channel], reasonText(reason)]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </span>
            <span className="shrink-0">
              <StatusChip tone={tones.message[state]}>{panel.messages.states[state]}</StatusChip>
            </span>
          </li>
        ))}
      </ul>
      <PanelLink href={addressOf(paths.messages, {}, { userId })}>{words.all}</PanelLink>
    </>
  );
}
