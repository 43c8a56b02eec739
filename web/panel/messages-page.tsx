import { XIcon } from 'lucide-react';
import { useMemo, useState } from 'react';
import * as api from '#contract/api.ts';
import type { CsvColumn } from '#contract/csv.ts';
import type { SentMessage } from '#contract/message.ts';
import { paths } from '#contract/routes.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { manilaDate } from '#domain/calendar.ts';
import { messageChannels, messageKinds, messageStates } from '#domain/message.ts';
import { addressOf, call } from '#web/lib/call.ts';
import { tones } from '#web/lib/chip-tones.ts';
import { refreshReads, useRead } from '#web/lib/query.tsx';
import { useUser } from '#web/lib/session.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { CellLines } from '#web/ui/data-table.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { StatusChip } from '#web/ui/status-chip.tsx';
import { DayFilters, dayFilter, oneOf } from './lib/address-filters.tsx';
import { PanelLink, PanelRow, SidePanel } from './lib/details.tsx';
import { ConfirmDialog } from './lib/dialogs.tsx';
import { dateTime } from './lib/format.ts';
import { columnsOf } from './lib/list-table.tsx';
import { countsOf, type ListDefinition, useListView } from './lib/list-view.ts';
import { kindChoices, kindText, mayGoAgain, reasonText, receiverOf } from './lib/message-text.ts';
import { RowButton } from './lib/row-action.tsx';
import { useStaffAction } from './lib/staff-action.ts';
import { StaffList } from './lib/staff-list.tsx';
import { acceptCurrent, useStaffRows } from './lib/staff-rows.ts';

const words = panel.messages;
const { columns: heads } = words;

type Actions = (message: SentMessage) => void;

/** Lists the texts and e-mails that left the app, or wait to (§outbox). */
export default function MessagesPage() {
  const view = useListView(filterReadings);
  const { filters, show, status } = view;
  const { userId, ...ownQuery } = filters;
  // The server cannot search messages by person, so the search covers the loaded rows only.
  const {
    data: rows,
    found: _,
    ...state
  } = useStaffRows(api.listMessages, {
    failure: words.failedToFetch,
    query: { userId },
    narrowed: { search: '', status: '', state: oneOf(messageStates)(status) ?? '', ...ownQuery },
    anew: true,
    besides: [api.readMessageChannels],
  });
  const read = {
    ...state,
    data: useMemo(() => rows?.filter((message) => fits(message, filters)), [rows, filters]),
  };
  const [asked, setAsked] = useState<SentMessage>();
  const again = useSendAgain();
  const onAgain = useMemo<Actions>(
    () => (message) => {
      if (message.state === 'unknown') setAsked(message);
      else void again(message);
    },
    [again],
  );
  return (
    <>
      <Troubles />
      <StaffList
        {...{ words, view, read }}
        list={messageList}
        actions={onAgain}
        counts={useMemo(() => read.data && countsOf(read.data, messageList, words.figures), [read.data])}
        statusWords={{ label: words.state, all: words.allStates }}
        csv={{ name: 'messages', columns: messageCsv }}
        details={(message, close) => <MessageDetails {...{ message, onAgain }} onClose={close} />}
      >
        <SelectField
          label={words.channel}
          labelHidden
          fieldClassName="w-34 shrink-0"
          value={filters.channel}
          onChange={(event) => show({ channel: event.currentTarget.value })}
          options={[
            { value: '', label: words.eachChannel },
            ...messageChannels.map((value) => ({ value, label: words.channels[value] })),
          ]}
        />
        <SelectField
          label={words.kind}
          labelHidden
          fieldClassName="w-40 shrink-0"
          value={filters.kind}
          onChange={(event) => show({ kind: event.currentTarget.value })}
          options={[{ value: '', label: words.allKinds }, ...kindChoices]}
        />
        <DayFilters view={view} labels={{ from: words.from, to: words.to }} />
        {userId && (
          <Button look="secondary" onClick={() => show({ userId: '' })}>
            {words.allOf((rows?.[0] && receiverOf(rows[0])) || words.thisPerson)}
            <XIcon aria-label={words.showAll} />
          </Button>
        )}
      </StaffList>
      {asked && (
        <ConfirmDialog
          title={words.againTitle(receiverOf(asked))}
          text={words.unknownText}
          confirmLabel={words.again}
          look="primary"
          onConfirm={() => again(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}

function useSendAgain() {
  const act = useStaffAction();
  return useMemo(
    () => async (message: SentMessage) => {
      const { ok } = await act(
        call(api.sendAgain, { params: { id: message.id } }).then((now) =>
          acceptCurrent(api.listMessages, message.id, now),
        ),
        { done: words.queuedAgain },
      );
      if (!ok) void refreshReads(api.listMessages);
    },
    [act],
  );
}

const filterReadings = {
  channel: oneOf(messageChannels),
  kind: oneOf(Object.keys(messageKinds)),
  from: dayFilter,
  to: dayFilter,
  userId: (text: string) => (/^[1-9]\d{0,8}$/.test(text) ? text : undefined),
};
type OwnFilters = Record<keyof typeof filterReadings, string>;

function fits({ channel, kind, at }: SentMessage, wanted: OwnFilters): boolean {
  if (wanted.channel !== '' && channel !== wanted.channel) return false;
  if (wanted.kind !== '' && kind !== wanted.kind) return false;
  if (wanted.from === '' && wanted.to === '') return true;
  const day = manilaDate(new Date(at));
  return (wanted.from === '' || day >= wanted.from) && (wanted.to === '' || day <= wanted.to);
}

const messageList: ListDefinition<SentMessage, Actions> = {
  searchTexts: (message) => [receiverOf(message), message.sentTo],
  choices: messageStates.map((value) => ({ value, label: words.states[value] })),
  statusOf: ({ state }) => state,
  columns: columnsOf(heads, {
    when: { size: { widthPx: 150 }, sortValue: ({ at }) => at, cell: ({ at }) => dateTime(at) },
    whom: {
      size: { widthPx: 140, wantPx: 190, grow: 3 },
      sortValue: receiverOf,
      cell: (message) => <CellLines main={receiverOf(message)} note={message.sentTo || undefined} />,
    },
    channel: {
      size: { widthPx: 84, rank: 5 },
      sortValue: ({ channel }) => words.channels[channel],
    },
    kind: {
      size: { widthPx: 160, grow: 2, rank: 2 },
      sortValue: ({ kind }) => kindText(kind),
      cell: ({ kind }) => <span className="block truncate">{kindText(kind)}</span>,
    },
    state: {
      size: { widthPx: 118 },
      sortValue: ({ state }) => words.states[state],
      cell: ({ state }) => <StatusChip tone={tones.message[state]}>{words.states[state]}</StatusChip>,
    },
    reason: {
      size: { widthPx: 190, grow: 3, rank: 3 },
      sortValue: ({ reason }) => reasonText(reason),
      cell: ({ reason }) => <span className="line-clamp-2 whitespace-normal">{reasonText(reason)}</span>,
    },
    tries: { size: { widthPx: 70, rank: 4 }, numeric: true, sortValue: ({ tries }) => tries },
    actions: {
      size: { widthPx: 122, rank: 1 },
      numeric: true,
      cell: (message, onAgain) =>
        mayGoAgain(message) && (
          <RowButton look="secondary" onClick={() => onAgain(message)}>
            {words.again}
          </RowButton>
        ),
    },
  }),
};

const messageCsv: readonly CsvColumn<SentMessage>[] = [
  { head: heads.when, value: ({ at }) => dateTime(at) },
  { head: heads.whom, value: receiverOf },
  { head: words.sentTo, value: ({ sentTo }) => sentTo },
  { head: heads.channel, value: ({ channel }) => words.channels[channel] },
  { head: heads.kind, value: ({ kind }) => kindText(kind) },
  { head: heads.state, value: ({ state }) => words.states[state] },
  { head: heads.reason, value: ({ reason }) => reasonText(reason) },
  { head: heads.tries, value: ({ tries }) => tries },
];

type DetailsProps = { message: SentMessage; onAgain: Actions; onClose: () => void };

function MessageDetails({ message, onAgain, onClose }: DetailsProps) {
  const { at, userId, sentTo, channel, kind, state, reason, tries } = message;
  const facts = [
    [heads.when, dateTime(at)],
    [heads.channel, words.channels[channel]],
    [words.sentTo, sentTo],
    [heads.reason, reasonText(reason)],
    [heads.tries, tries],
  ] as const;
  return (
    <SidePanel
      overline={kindText(kind)}
      title={receiverOf(message)}
      onClose={onClose}
      actions={mayGoAgain(message) && <Button onClick={() => onAgain(message)}>{words.again}</Button>}
    >
      <div className="flex flex-col items-start gap-1.5 pb-4">
        <StatusChip tone={tones.message[state]}>{words.states[state]}</StatusChip>
        <p className="text-14 text-ink-soft">{words.stateNotes[state]}</p>
      </div>
      {facts.map(([label, value]) => value !== '' && <PanelRow key={label} label={label} value={value} />)}
      {userId !== null && (
        <p className="flex flex-col gap-1 border-t border-line pt-3">
          <PanelLink href={addressOf(paths.members, {}, { open: userId })}>{words.openMember}</PanelLink>
          <PanelLink href={addressOf(paths.messages, {}, { userId })}>
            {words.allOf(receiverOf(message))}
          </PanelLink>
        </p>
      )}
    </SidePanel>
  );
}

/** Says why messages wait: the books were restored, or a gateway takes none. */
function Troubles() {
  const channels = useRead(api.readMessageChannels, { anew: true }).data;
  const { isMainAdmin } = useUser();
  const [decision, setDecision] = useState<'send' | 'cancel'>();
  const act = useStaffAction();
  if (!channels) return null;
  const { heldSince, held } = channels;
  const decide = async () => {
    if (!decision) return;
    await act(call(api.decideHeld, { body: { decision } }), {
      done: ({ messages }) =>
        decision === 'send' ? words.held.sent(messages) : words.held.cancelled(messages),
    });
    for (const row of [api.readMessageChannels, api.listMessages]) void refreshReads(row);
  };
  return (
    <div className="mb-4 flex flex-col gap-3 empty:hidden">
      {heldSince && (
        <Banner
          tone="warn"
          role="status"
          title={words.held.title}
          action={
            isMainAdmin && (
              <span className="flex gap-2.5">
                <Button onClick={() => setDecision('send')}>{words.held.send}</Button>
                <Button look="secondary" onClick={() => setDecision('cancel')}>
                  {words.held.cancel}
                </Button>
              </span>
            )
          }
        >
          {words.held.text({ since: dateTime(heldSince), count: held })}
          {!isMainAdmin && ` ${words.held.forOthers}`}
        </Banner>
      )}
      {messageChannels.map((channel) => {
        const { pausedSince, pauseReason } = channels[channel];
        return (
          pausedSince && (
            <Banner
              key={channel}
              tone="bad"
              role="status"
              title={words.paused.title(words.channels[channel])}
            >
              {words.paused.text({ since: dateTime(pausedSince), reason: reasonText(pauseReason) })}
            </Banner>
          )
        );
      })}
      {decision && (
        <ConfirmDialog
          title={decision === 'send' ? words.held.sendTitle : words.held.cancelTitle}
          text={decision === 'send' ? words.held.sendText(held) : words.held.cancelText(held)}
          confirmLabel={words.held[decision]}
          look={decision === 'send' ? 'primary' : 'danger'}
          onConfirm={decide}
          onClose={() => setDecision(undefined)}
        />
      )}
    </div>
  );
}
