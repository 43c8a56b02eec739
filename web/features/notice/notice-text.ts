import type { Notification } from '#contract/notification.ts';
import type { NoticeKey, Wording } from '#contract/wording/en.ts';
import { loanStatusWord } from '#web/lib/loan-status.ts';

type Options = {
  words: Wording;
  /** False while the wallet's balance is hidden: then no message tells it either. */
  balanceShown: boolean;
};

const hiddenAmount = '₱ ••••••';

/**
 * What a message says. The product's own notices are said in the reader's language from their details; what staff wrote
 * stays as they wrote it.
 */
export function noticeText(
  { type, title, message, details }: Notification,
  { words, balanceShown }: Options,
): { title: string; message: string } {
  if (!Object.hasOwn(words.notices, type) || !details) return { title, message };
  const notice = words.notices[type as NoticeKey];
  const readable = readableDetails(type as NoticeKey, details, { words, balanceShown });
  return {
    title: typeof notice.title === 'string' ? notice.title : notice.title(readable),
    message: notice.message(readable),
  };
}

/** Whether a message tells of something that was hoped for. */
export function isGoodNews({ type, details }: Notification): boolean {
  if (type === 'balance_changed') return details?.change === 'released';
  const isDecision = type === 'loan_status_changed' || type === 'withdrawal_status_changed';
  const { status = '', statusCode = status } = details ?? {};
  return isDecision && ['approved', 'active', 'completed'].includes(statusCode);
}

function readableDetails(
  type: NoticeKey,
  details: Record<string, string>,
  { words, balanceShown }: Options,
): Record<string, string> {
  const { status = '', statusCode = status } = details;
  switch (type) {
    case 'balance_changed': {
      // What was paid out for a loan stands in the open beside it, and is no balance.
      const hidden = {
        before: hiddenAmount,
        after: hiddenAmount,
        ...(!details.loanNumber && { amount: hiddenAmount }),
      };
      return balanceShown ? details : { ...details, ...hidden };
    }
    case 'loan_status_changed':
      return { ...details, status: loanStatusWord(statusCode, words.loanStatus) };
    case 'status_changed':
      return { statusCode, status: wordOf(words.messages.memberStatus, status) };
    case 'withdrawal_status_changed':
      return { ...details, statusCode, status: wordOf(words.withdrawal.statuses, status) };
    default:
      return details;
  }
}

const wordOf = (words: Record<string, string>, status: string): string => words[status] ?? status;
