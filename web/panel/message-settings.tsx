import * as api from '#contract/api.ts';
import { TrialMessage } from '#contract/message.ts';
import { paths } from '#contract/routes.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { type MessageChannel, messageChannels } from '#domain/message.ts';
import { call } from '#web/lib/call.ts';
import { refreshReads, useRead } from '#web/lib/query.tsx';
import { QueryStates } from '#web/lib/query-states.tsx';
import { useUser } from '#web/lib/session.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { StatusChip } from '#web/ui/status-chip.tsx';
import { PanelLink } from './lib/details.tsx';
import { dateTime } from './lib/format.ts';
import { reasonText } from './lib/message-text.ts';
import { useStaffForm } from './lib/staff-action.ts';
import { SkeletonCard } from './lib/staff-list.tsx';

const { channels: names, paused, settings: words, title: messagesTitle } = panel.messages;

/** Which channels are set up, how they do, and a trial for the main admin (§outbox). */
export function MessageSettings() {
  const query = useRead(api.readMessageChannels, { anew: true });
  const { isMainAdmin } = useUser();
  return (
    <QueryStates query={query} framed failedTitle={words.failed} skeleton={<SkeletonCard rows={2} />}>
      {(channels) => {
        const setUp = messageChannels.filter((channel) => channels[channel].gateway !== null);
        return (
          <Card className="grid grid-cols-[minmax(0,3fr)_minmax(18rem,2fr)] items-start gap-6">
            <ul className="divide-y divide-line">
              {messageChannels.map((channel) => {
                const { gateway, lastSentAt, pausedSince, pauseReason } = channels[channel];
                return (
                  <li key={channel} className="flex flex-wrap items-center justify-between gap-x-4 py-2.5">
                    <span>
                      <span className="block font-semibold">{names[channel]}</span>
                      <span className="block text-14 text-ink-soft">
                        {gateway !== null &&
                          (pausedSince
                            ? paused.text({ since: dateTime(pausedSince), reason: reasonText(pauseReason) })
                            : lastSentAt
                              ? words.lastSent(dateTime(lastSentAt))
                              : words.neverSent)}
                      </span>
                    </span>
                    <StatusChip tone={gateway === null ? 'neutral' : pausedSince ? 'bad' : 'good'}>
                      {gateway === null ? words.off : words.gateways[gateway]}
                    </StatusChip>
                  </li>
                );
              })}
              {(setUp.length > 0 || channels.hasMessages) && (
                <li className="pt-2">
                  <PanelLink href={paths.messages} wide={false}>
                    {messagesTitle}
                  </PanelLink>
                </li>
              )}
            </ul>
            {setUp[0] === undefined ? (
              <p className="text-14 text-ink-soft">{words.howTo}</p>
            ) : (
              isMainAdmin && <TrialForm setUp={setUp} first={setUp[0]} />
            )}
          </Card>
        );
      }}
    </QueryStates>
  );
}

function TrialForm({ setUp, first }: { setUp: readonly MessageChannel[]; first: MessageChannel }) {
  const form = useStaffForm(TrialMessage, {
    values: { channel: first, to: '' },
    fields: {
      channel: {
        kind: 'select',
        label: panel.messages.channel,
        options: setUp.map((value) => ({ value, label: names[value] })),
      },
      to: { label: words.trialTo, autoComplete: 'off', spellCheck: false },
    },
    send: (body) => call(api.sendTrial, { body }),
    done: words.trialSent,
    onSaved: () => {
      form.reset();
      void refreshReads(api.readMessageChannels);
    },
  });
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-3">
      <h3 className="font-semibold">{words.trial}</h3>
      <p className="-mt-2 text-14 text-ink-soft">{words.trialText}</p>
      {form.fields}
      <Button type="submit" className="self-start" busy={form.busy} busyLabel={panel.list.saving}>
        {words.trialSubmit}
      </Button>
    </form>
  );
}
