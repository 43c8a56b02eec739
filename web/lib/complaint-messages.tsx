import type { Complaint } from '#contract/collection.ts';
import { useAccountWords } from './all-words.ts';

type Props = { messages: Complaint['messages']; nameOf: (message: Complaint['messages'][number]) => string };

/** Shows the messages about a complaint, the oldest first. */
export function ComplaintMessages({ messages, nameOf }: Props) {
  const { shell, dateTime } = useAccountWords();
  return (
    <ol aria-label={shell.messages} className="flex flex-col gap-3">
      {messages.map((message) => (
        <li
          key={`${message.at} ${message.text}`}
          className={`rounded-control px-3.5 py-2.5 text-14 ${message.isStaff ? 'ml-6 bg-leaf-tint' : 'mr-6 bg-sunken'}`}
        >
          <p className="whitespace-pre-line wrap-anywhere">{message.text}</p>
          <p className="mt-1 text-12 text-ink-soft">
            {nameOf(message)} · {dateTime(message.at)}
          </p>
        </li>
      ))}
    </ol>
  );
}
