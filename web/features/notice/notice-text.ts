import type { Notification } from '#contract/notification.ts';
import type { Wording } from '#contract/wording/en.ts';
import { type NoticeKind, wordNotice } from '#contract/wording/notices.ts';
import { loanStatusWord } from '#web/lib/loan-status.ts';

/** The notices about a loan's account, and whether each is good news. */
export const accountNews: Record<string, boolean> = {
  loan_disbursed: true,
  disbursement_cancelled: false,
  payment_received: true,
  payment_rejected: false,
  payment_reversed: false,
  late_charge_waived: true,
  instalments_deferred: true,
  loan_written_off: false,
  credit_refunded: true,
  loan_change_reversed: false,
  loan_paid_off: true,
} satisfies Partial<Record<NoticeKind, boolean>>;

type Options = {
  words: Pick<Wording, 'notices' | 'loanStatus' | 'withdrawal'> & {
    messages: Pick<Wording['messages'], 'memberStatus'>;
  };
  /** While the wallet's balance is hidden, messages do not reveal it either. */
  balanceShown: boolean;
};

const hiddenAmount = '₱ ••••••';

/**
 * The product's own notices are worded in the reader's language from their details; messages by staff are shown as
 * written.
 */
export function noticeText(
  { type, title, message, details }: Notification,
  { words, balanceShown }: Options,
): { title: string; message: string } {
  if (!Object.hasOwn(words.notices, type) || !details) return { title, message };
  const kind = type as NoticeKind;
  return wordNotice(words.notices, kind, readableDetails(kind, details, { words, balanceShown }));
}

export function isGoodNews({ type, details }: Notification): boolean {
  if (type === 'balance_changed') return details?.change === 'released';
  if (Object.hasOwn(accountNews, type)) return accountNews[type] === true;
  const isDecision = type === 'loan_status_changed' || type === 'withdrawal_status_changed';
  const { status = '', statusCode = status } = details ?? {};
  return isDecision && ['approved', 'active', 'completed'].includes(statusCode);
}

function readableDetails(
  type: NoticeKind,
  details: Record<string, string>,
  { words, balanceShown }: Options,
): Record<string, string> {
  const { status = '', statusCode = status } = details;
  switch (type) {
    case 'balance_changed':
      return balanceShown ? details : { ...details, before: '', amount: hiddenAmount };
    case 'loan_disbursed':
      return balanceShown || details.channel !== 'wallet' ? details : { ...details, amount: hiddenAmount };
    case 'disbursement_cancelled':
      return balanceShown ? details : { ...details, amount: hiddenAmount };
    case 'payment_received':
      return balanceShown || !details.credit ? details : { ...details, credit: hiddenAmount };
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
