import { useState } from 'react';
import * as api from '#contract/api.ts';
import { ComplaintMessageForm, type StaffComplaint } from '#contract/collection.ts';
import { loanAccountPath, paths } from '#contract/routes.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { isFinalComplaint } from '#domain/complaint.ts';
import { addressOf } from '#web/lib/call.ts';
import { tones } from '#web/lib/chip-tones.ts';
import { ComplaintMessages } from '#web/lib/complaint-messages.tsx';
import { useMoneyCall } from '#web/lib/money-call.ts';
import { usePageTitle } from '#web/lib/page-title.ts';
import { refreshReads, useRead } from '#web/lib/query.tsx';
import { QueryStates } from '#web/lib/query-states.tsx';
import { useUser } from '#web/lib/session.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { EmptyLoom } from '#web/ui/empty-loom.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { StatusChip } from '#web/ui/status-chip.tsx';
import { PanelLink } from './lib/details.tsx';
import { ConfirmDialog, FormDialog } from './lib/dialogs.tsx';
import { date, dateTime } from './lib/format.ts';
import { borrowerName } from './lib/list-view.ts';
import { PanelTitle } from './lib/panel-title.tsx';
import { ReadAt } from './lib/read-at.tsx';
import { useStaffAction, useStaffForm } from './lib/staff-action.ts';
import { SkeletonCard } from './lib/staff-list.tsx';

const words = panel.complaints;

/** The borrowers' complaints; the one whose time runs out first is on top (§complaints). */
export default function ComplaintsPage() {
  const [status, setStatus] = useState<'unresolved' | 'all'>('unresolved');
  const query = useRead(api.listComplaints, { query: { status }, anew: true });
  usePageTitle(words.title);
  return (
    <div className="max-w-360">
      <div className="mb-4 flex flex-wrap items-end justify-between gap-4">
        <div>
          <PanelTitle>{words.title}</PanelTitle>
          <p className="text-14 text-ink-soft">{words.text}</p>
        </div>
        <div className="flex items-center gap-4">
          <ReadAt query={query} reads={[api.listComplaints]} />
          <SelectField
            label={panel.list.show}
            labelHidden
            value={status}
            onChange={(event) => setStatus(event.currentTarget.value === 'all' ? 'all' : 'unresolved')}
            options={(['unresolved', 'all'] as const).map((value) => ({ value, label: words[value] }))}
          />
        </div>
      </div>
      <QueryStates query={query} framed failedTitle={words.failed} skeleton={<SkeletonCard rows={3} />}>
        {(complaints) =>
          complaints.length > 0 ? (
            <ul className="flex flex-col gap-4">
              {complaints.map((complaint) => (
                <li key={complaint.id}>
                  <ComplaintCard complaint={complaint} />
                </li>
              ))}
            </ul>
          ) : (
            <Card>
              <EmptyState
                role="status"
                picture={<EmptyLoom />}
                title={status === 'all' ? words.noneEver : words.none}
              >
                {words.noneText}
              </EmptyState>
            </Card>
          )
        }
      </QueryStates>
    </div>
  );
}

function clockText({ status, dueOn, isOverdue }: StaffComplaint): string {
  if (dueOn === null) return words.states[status];
  const text = (status === 'open' ? words.acknowledgeBy : words.resolveBy)(date(dueOn));
  return isOverdue ? words.overdue(text) : text;
}

function ComplaintCard({ complaint }: { complaint: StaffComplaint }) {
  const { id, category, status, loanId, loanNumber, createdAt, isOverdue, user } = complaint;
  const isCollector = useUser().roles?.includes('collector');
  const titleId = `complaint-${id}`;
  return (
    <article aria-labelledby={titleId}>
      <Card className="grid grid-cols-[minmax(16rem,2fr)_minmax(0,3fr)] items-start gap-6">
        <div className="flex flex-col items-start gap-3">
          <div>
            <h2 id={titleId} className="font-heading text-20 font-bold wrap-anywhere">
              {words.categories[category]} · {borrowerName(complaint)}
            </h2>
            <p className="text-14 text-ink-soft">{words.received(dateTime(createdAt))}</p>
          </div>
          <StatusChip tone={isOverdue ? 'bad' : tones.complaint[status]}>{clockText(complaint)}</StatusChip>
          <p className="-ml-3 flex flex-wrap">
            {user.phone !== null && (
              <PanelLink
                wide={false}
                href={addressOf(paths.members, {}, { search: user.phone, open: user.id })}
              >
                {panel.list.openMember}
              </PanelLink>
            )}
            {loanId !== null && (
              <PanelLink wide={false} href={loanAccountPath(loanId)}>
                {loanNumber}
              </PanelLink>
            )}
          </p>
          {!isFinalComplaint(status) &&
            (complaint.mayHandle ? (
              <Actions complaint={complaint} />
            ) : (
              isCollector && <p className="text-14 text-ink-soft">{words.forAnother}</p>
            ))}
        </div>
        <ComplaintMessages
          messages={complaint.messages}
          nameOf={({ isStaff, by }) => (isStaff ? (by ?? '') : words.borrower)}
        />
      </Card>
    </article>
  );
}

function Actions({ complaint }: { complaint: StaffComplaint }) {
  const { id, status } = complaint;
  const act = useStaffAction();
  const { state, stop, send } = useMoneyCall(api.updateComplaint);
  const [asked, setAsked] = useState<'reply' | 'resolve'>();
  const close = () => setAsked(undefined);
  async function put(to: 'acknowledged' | 'resolved') {
    await act(send({ params: { id }, body: { status: to } }), { done: words[to] });
    await refreshReads(api.listComplaints);
  }
  return (
    <div className="flex flex-wrap gap-2.5">
      {status === 'open' && (
        <Button busy={state === 'sending' || state === 'checking'} onClick={() => void put('acknowledged')}>
          {words.acknowledge}
        </Button>
      )}
      <Button look={status === 'open' ? 'secondary' : 'primary'} onClick={() => setAsked('reply')}>
        {words.reply}
      </Button>
      <Button look="secondary" onClick={() => setAsked('resolve')}>
        {words.resolve}
      </Button>
      {asked === 'reply' && <ReplyDialog complaint={complaint} onClose={close} />}
      {asked === 'resolve' && (
        <ConfirmDialog
          title={words.resolveTitle(borrowerName(complaint))}
          text={words.resolveText}
          confirmLabel={words.resolve}
          look="primary"
          onConfirm={() => put('resolved')}
          onStop={stop}
          onClose={close}
        />
      )}
    </div>
  );
}

function ReplyDialog({ complaint, onClose }: { complaint: StaffComplaint; onClose: () => void }) {
  const { stop, send } = useMoneyCall(api.answerComplaint);
  const form = useStaffForm(ComplaintMessageForm, {
    values: { message: '' },
    keptAs: `reply ${complaint.id}`,
    fields: { message: { kind: 'message', label: words.replyField, isFirst: true } },
    send: (body) => send({ params: { id: complaint.id }, body }),
    done: words.replied,
    onAnswered: () => refreshReads(api.listComplaints),
    onSaved: onClose,
  });
  return (
    <FormDialog
      title={words.replyTitle(borrowerName(complaint))}
      description={words.replyText}
      saveLabel={words.send}
      form={{ ...form, stop }}
      onClose={onClose}
    />
  );
}
