import { randomInt } from 'node:crypto';
import type { input, output } from 'zod/mini';
import type { CodeSentReply, ContactReply, ContactUpdate, TextCodeRequest } from '#contract/message.ts';
import type { WithdrawalRequest } from '#contract/withdrawal.ts';
import { addDays, manilaDate, startOfManilaDay } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { bareAccountNumber } from '#domain/member.ts';
import { isMobileNumber, type MessageChannel } from '#domain/message.ts';
import { formatPeso } from '#domain/money.ts';
import type { Deps } from '#server/deps.ts';
import { fail, KeptFailure } from '#server/failure.ts';
import { dayMs, hourMs, minuteMs } from '#server/platform/clock.ts';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import { networkOf } from '#server/platform/ip-address.ts';
import { isSameSecret } from '#server/platform/secret-box.ts';
import { wasAccessChanged } from '#server/store/access-change-store.ts';
import { blockTries, countTry, readTry } from '#server/store/access-store.ts';
import { type Account, type AccountChange, changeAccount } from '#server/store/account-store.ts';
import {
  countTextedCodes,
  countWrongContactCode,
  deleteContactCodes,
  lockContactCode,
  lockGate,
  putContactCode,
} from '#server/store/message-store.ts';
import { secretContext } from './account-view.ts';
import { audit } from './audit-service.ts';
import { addressOf, channelsOn, codeNameOf, confirmedAt, maskAddress, putMessage } from './outbox-service.ts';
import { type Act, type Caller, lockOwnAccount, type Staff, withOwnPassword } from './session-service.ts';
import { counterKey, countWithin } from './tries-service.ts';

type Reply = input<typeof ContactReply>;
type Sent = input<typeof CodeSentReply>;

const newCode = (): string => String(randomInt(10 ** limits.otpLength)).padStart(limits.otpLength, '0');

const later = (now: Date, ms: number) => new Date(now.getTime() + ms);

/** How the caller is reached, and what they want to get (§confirmed-addresses). */
export const readContact = (deps: Deps, { account }: Pick<Caller, 'account'>): Promise<Reply> =>
  deps.database.read((reader) => viewContact(deps, reader, account));

async function viewContact(deps: Deps, reader: Reader, account: Account): Promise<Reply> {
  const on = channelsOn(deps);
  const view = (channel: MessageChannel): Reply['phone'] => {
    const address = addressOf(account, channel);
    return address === null
      ? null
      : { sentTo: maskAddress(address, channel), confirmedAt: confirmedAt(account, channel) };
  };
  return {
    channels: { sms: on.includes('sms'), email: on.includes('email') },
    codes: (await whyNoTextCode(deps, reader, account)) ? 'staff' : 'sms',
    phone: view('sms'),
    email: view('email'),
    wants: { reminders: account.wantsReminders, news: account.wantsNews },
  };
}

export async function updateContact(act: Act, { wants }: output<typeof ContactUpdate>): Promise<Reply> {
  const { deps, tx } = act;
  const account = await lockOwnAccount(act);
  const { reminders = account.wantsReminders, news = account.wantsNews } = wants;
  const isChanged = reminders !== account.wantsReminders || news !== account.wantsNews;
  if (!isChanged) return viewContact(deps, tx, account);
  const at = deps.clock.now();
  const change = { wantsReminders: reminders, wantsNews: news, wantsChangedAt: at, updatedAt: at };
  const changed = await changeAccount(tx, account.id, change);
  await audit(act, 'contact_wants_changed', { account: account.id }, { after: { reminders, news } });
  return viewContact(deps, tx, changed);
}

/** Sends a code to an address that is not confirmed yet. A new one ends the old. */
export async function sendContactCode(act: Act, channel: MessageChannel): Promise<Sent> {
  const { deps, tx, actor } = act;
  const account = await lockOwnAccount(act);
  if (!channelsOn(deps).includes(channel)) fail('channel_off');
  if (channel === 'sms' && account.phoneKey !== null && !isMobileNumber(account.phoneKey)) fail('not_mobile');
  const address = addressOf(account, channel) ?? fail('no_address');
  if (confirmedAt(account, channel) !== null) fail('already_confirmed');
  const now = deps.clock.now();
  const network = networkOf(actor.address ?? '') ?? fail('forbidden');
  const id = String(account.id);
  await countWithin(act, [
    {
      scope: `contact code soon ${channel}`,
      key: id,
      max: 1,
      windowMs: limits.contactCodeEverySeconds * 1_000,
    },
    { scope: 'contact codes', key: id, max: limits.contactCodesPerDay, windowMs: dayMs },
    {
      scope: `contact codes of ${channel}`,
      key: counterKey(address.toLowerCase()),
      max: limits.contactCodesPerNumberPerDay,
      windowMs: dayMs,
    },
    {
      scope: 'contact codes of a network',
      key: counterKey(network),
      max: limits.contactCodesPerNetworkPerHour,
      windowMs: hourMs,
    },
  ]);
  if (channel === 'sms') await requireRoomForCode(deps, tx, now);
  const expiresAt = later(now, limits.contactCodeMinutes * minuteMs);
  const codeSealed = deps.secrets.seal(newCode(), secretContext.contactCode(account.id, channel));
  await putContactCode(
    {
      accountId: account.id,
      channel,
      codeSealed,
      addressHash: hashOf(deps, address),
      wrongTries: 0,
      createdAt: now,
      expiresAt,
    },
    tx,
  );
  const codeName = codeNameOf(codeSealed);
  await putMessage(act, { kind: 'confirmation', channel, account, address, codeName, expiresAt });
  const resendAt = later(now, limits.contactCodeEverySeconds * 1_000);
  return { sentTo: maskAddress(address, channel), resendAt, expiresAt };
}

const hashOf = ({ secrets }: Deps, address: string) =>
  secrets.fingerprint(address.toLowerCase(), 'contact address');

/** `SMS_DAILY_MAX`: of all processes, so that nobody can spend the lender's money on codes. */
async function requireRoomForCode(deps: Deps, tx: Tx, now: Date): Promise<void> {
  await lockGate(tx, 'sms');
  const today = manilaDate(now);
  const count = await countTextedCodes(tx, startOfManilaDay(today));
  if (count < deps.config.messaging.smsDailyMax) return;
  const waitMs = startOfManilaDay(addDays(today, 1)).getTime() - now.getTime();
  fail('too_many_requests', { retryAfterSeconds: waitMs / 1_000 });
}

/** The same answer to a wrong, used, absent and expired code, whoever else has that address. */
export async function confirmContact(
  act: Act,
  channel: MessageChannel,
  typed: string,
): Promise<Reply | KeptFailure> {
  const { deps, tx } = act;
  const account = await lockOwnAccount(act);
  const now = deps.clock.now();
  const stored = await lockContactCode(tx, account.id, channel);
  const address = addressOf(account, channel);
  const isLive =
    stored !== undefined &&
    address !== null &&
    stored.expiresAt > now &&
    stored.createdAt.getTime() <= now.getTime() + limits.clockSkewMs &&
    stored.wrongTries < limits.contactCodeMaxWrongTries &&
    isSameSecret(stored.addressHash, hashOf(deps, address));
  if (!isLive) return new KeptFailure('invalid_code');
  const code = deps.secrets.open(stored.codeSealed, secretContext.contactCode(account.id, channel));
  if (code === undefined || !isSameSecret(code, typed)) {
    await countWrongContactCode(tx, account.id, channel);
    return new KeptFailure('invalid_code');
  }
  await deleteContactCodes(tx, account.id, channel);
  const change: AccountChange =
    channel === 'sms' ? { phoneConfirmedAt: now, phoneConfirmedBy: account.id } : { emailConfirmedAt: now };
  const changed = await changeAccount(tx, account.id, { ...change, updatedAt: now });
  await audit(act, 'contact_confirmed', { account: account.id }, { after: { channel } });
  return viewContact(deps, tx, changed);
}

/**
 * Takes confirmations back when a person's columns change: another number or e-mail address, however it is
 * written, is not confirmed. `former` are the channels whose old address is told.
 */
export async function leaveAddresses(
  { tx }: Pick<Act, 'tx'>,
  account: Account,
  change: AccountChange,
): Promise<{ change: AccountChange; former: MessageChannel[] }> {
  const isPhoneOther = change.phoneKey !== undefined && change.phoneKey !== account.phoneKey;
  const isEmailOther = change.emailKey !== undefined && change.emailKey !== account.emailKey;
  if (isPhoneOther) await deleteContactCodes(tx, account.id, 'sms');
  if (isEmailOther) await deleteContactCodes(tx, account.id, 'email');
  return {
    change: {
      ...(isPhoneOther && { phoneConfirmedAt: null, phoneConfirmedBy: null }),
      ...(isEmailOther && { emailConfirmedAt: null }),
    },
    former: [...(isPhoneOther ? ['sms' as const] : []), ...(isEmailOther ? ['email' as const] : [])],
  };
}

// Codes to withdraw

const wrongTextCodes = 'wrong text codes';

/** Why this account gets its codes from staff; undefined if they can be texted (§codes-by-text). */
export async function whyNoTextCode(
  deps: Deps,
  reader: Reader,
  account: Account,
): Promise<string | undefined> {
  if (deps.config.lender.messages?.codes !== 'sms' || !deps.gateways.sms) return 'not set up';
  const now = deps.clock.now();
  const since = later(now, -limits.textCodeQuietHours * hourMs);
  const { phoneConfirmedAt, phoneConfirmedBy } = account;
  if (phoneConfirmedAt === null || phoneConfirmedBy !== account.id) return 'phone not confirmed';
  if (addressOf(account, 'sms') === null) return 'phone not confirmed';
  if (phoneConfirmedAt > since) return 'phone confirmed lately';
  if (await wasAccessChanged(reader, account.id, since)) return 'access changed lately';
  const wrong = await readTry(reader, { scope: wrongTextCodes, key: String(account.id) });
  if (wrong?.blockedUntil && wrong.blockedUntil > now) return 'too many wrong codes';
  return undefined;
}

/** Texts a code that is good for exactly this amount and account, once, for ten minutes; with the password. */
export const sendTextCode = (
  deps: Deps,
  caller: Caller,
  { password, ...withdrawal }: output<typeof TextCodeRequest>,
): Promise<Sent> =>
  withOwnPassword(deps, caller, password, async (act, account) => {
    const { tx } = act;
    if (await whyNoTextCode(deps, tx, account)) fail('codes_by_staff');
    if (withdrawal.amount > account.balanceCentavos) fail('insufficient_funds');
    const address = addressOf(account, 'sms') ?? fail('codes_by_staff');
    const now = deps.clock.now();
    const key = String(account.id);
    await countWithin(act, [
      { scope: 'text code soon', key, max: 1, windowMs: limits.textCodeEverySeconds * 1_000 },
      { scope: 'text codes of an hour', key, max: limits.textCodesPerHour, windowMs: hourMs },
      { scope: 'text codes of a day', key, max: limits.textCodesPerDay, windowMs: dayMs },
    ]);
    await requireRoomForCode(deps, tx, now);
    const expiresAt = later(now, limits.textCodeMinutes * minuteMs);
    const bound = JSON.stringify([newCode(), ...boundTo(withdrawal)]);
    const otpCodeSealed = deps.secrets.seal(bound, secretContext.textCode(account.id));
    await changeAccount(tx, account.id, {
      otpCodeSealed,
      otpExpiresAt: expiresAt,
      otpWrongTries: 0,
      isOtpByText: true,
      updatedAt: now,
    });
    await audit(act, 'otp_texted', { account: account.id });
    const details = {
      amount: formatPeso(withdrawal.amount),
      account: `*${[...bareAccountNumber(withdrawal.bankAccountNumber)].slice(-4).join('')}`,
    };
    const codeName = codeNameOf(otpCodeSealed);
    await putMessage(act, {
      kind: 'withdrawal_code',
      channel: 'sms',
      account,
      address,
      details,
      codeName,
      expiresAt,
    });
    const resendAt = later(now, limits.textCodeEverySeconds * 1_000);
    return { sentTo: maskAddress(address, 'sms'), resendAt, expiresAt };
  });

type Bound = Pick<output<typeof WithdrawalRequest>, 'amount' | 'bankName' | 'bankAccountNumber'>;

const boundTo = ({ amount, bankName, bankAccountNumber }: Bound) => [
  amount,
  bankName.trim().replace(/\s+/g, ' ').toLowerCase(),
  bareAccountNumber(bankAccountNumber),
];

/** True if a texted code is this one, for this withdrawal. */
export function isRightTextCode(deps: Deps, account: Account, typed: string, withdrawal: Bound): boolean {
  const opened = deps.secrets.open(account.otpCodeSealed ?? '', secretContext.textCode(account.id));
  if (opened === undefined) return false;
  const [code, ...bound] = JSON.parse(opened) as [string, ...unknown[]];
  const isFor = JSON.stringify(bound) === JSON.stringify(boundTo(withdrawal));
  return isSameSecret(code, typed) && isFor;
}

/** The tenth wrong one of a day leaves the account to staff for a day. */
export async function countWrongTextCode(
  { deps, tx }: Pick<Act, 'deps' | 'tx'>,
  accountId: number,
): Promise<void> {
  const now = deps.clock.now();
  const counter = { scope: wrongTextCodes, key: String(accountId) };
  const { count } = await countTry(tx, { ...counter, now, windowMs: dayMs });
  if (count >= limits.wrongTextCodesPerDay) await blockTries(tx, counter, later(now, dayMs));
}

/**
 * Texts a code that staff set, where this account gets codes by text: nobody has to read it out. False if it does not.
 */
export async function textIssuedCode(
  act: Act<Staff>,
  account: Account,
  { otpCodeSealed, expiresAt, hours }: { otpCodeSealed: string; expiresAt: Date; hours: number },
): Promise<boolean> {
  const { deps, tx } = act;
  if (account.isAdmin || (await whyNoTextCode(deps, tx, account))) return false;
  const address = addressOf(account, 'sms');
  if (address === null) return false;
  await putMessage(act, {
    kind: 'withdrawal_code',
    channel: 'sms',
    account,
    address,
    details: { hours: String(hours) },
    codeName: codeNameOf(otpCodeSealed),
    expiresAt,
  });
  return true;
}
