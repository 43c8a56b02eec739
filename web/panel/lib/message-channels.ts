import { readMessageChannels } from '#contract/api.ts';
import { messageChannels } from '#domain/message.ts';
import { useRead } from '#web/lib/query.tsx';

/** The channels that are set up, and whether there is anything to show of messages: a channel, or a row of earlier. */
export function useMessageChannels() {
  const read = useRead(readMessageChannels).data;
  const setUp = messageChannels.filter((channel) => read?.[channel].gateway);
  return { setUp, isUsed: setUp.length > 0 || read?.hasMessages === true };
}
