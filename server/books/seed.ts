import { hash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { addDays, addMonths, type ManilaDate, manilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { type Centavos, centavos } from '#domain/money.ts';
import { accountChannels, channelMaxCentavos } from '#domain/payment.ts';
import { position, settlementOn } from '#domain/servicing.ts';
import type { Deps } from '#server/deps.ts';
import { KeptFailure } from '#server/failure.ts';
import { dayMs, hourMs } from '#server/platform/clock.ts';
import {
  type ConsoleCall,
  counted,
  createProgress,
  Refusal,
  type Say,
  secondsSince,
} from '#server/platform/console-text.ts';
import { type Tx, untilAllAnswered } from '#server/platform/database/database.ts';
import { newPassword } from '#server/platform/randomness.ts';
import { noSecrets } from '#server/services/account-view.ts';
import { decide } from '#server/services/approval-service.ts';
import { audit } from '#server/services/audit-service.ts';
import { storeDocument } from '#server/services/document-service.ts';
import { serverConsole } from '#server/services/first-start-service.ts';
import { AwaitsApproval } from '#server/services/four-eyes.ts';
import { applyForLoan, updateLoan } from '#server/services/loan-service.ts';
import { takeStep } from '#server/services/loan-step.ts';
import { loanSteps } from '#server/services/loan-step-table.ts';
import { createAdmin, type MemberEdit, updateMember } from '#server/services/member-service.ts';
import { payOwnLoan } from '#server/services/own-payment-service.ts';
import { updatePayment } from '#server/services/payment-decision.ts';
import { type PaymentRecord, recordPayment } from '#server/services/payment-service.ts';
import { updateProfile } from '#server/services/profile-service.ts';
import { numberReceiptsIn } from '#server/services/receipt-service.ts';
import { lockForWork, lockServicedLoan } from '#server/services/serviced-loan.ts';
import { type Act, type Caller, register, type Staff } from '#server/services/session-service.ts';
import { requestWithdrawal, updateWithdrawal } from '#server/services/withdrawal-service.ts';
import { findAccount } from '#server/store/account-store.ts';
import { sealingRows } from '#server/store/sealed-rows.ts';
import { inOneLongTransaction, vacuumTables } from './backup-rows.ts';

const kinds = ['members', 'loans', 'withdrawals'] as const;

type Kind = (typeof kinds)[number];

export type SeedCounts = Record<Kind, number>;

/** How many days ago the first and the last of each happened: members join, then borrow, then withdraw. */
const days = { members: [800, 600], loans: [570, 0], withdrawals: [100, 0] } as const;
const decidedAfterMs = 4 * hourMs;
const stepsAtATime = 100;
/** The share of the newest ones that still wait for staff. */
const waitingShare = { members: 0, loans: 0.05, withdrawals: 0.04 };

/** A record's history, step by step. Before each later step it yields when that is due, maybe after the sample's end. */
type Course = AsyncGenerator<number, undefined>;
/** `take` does the next step, and returns when the one after it is due. */
type Turn = { atMs: number; take: () => Promise<number | undefined>; isBegun: boolean };

const stepsOf = (course: Course): Turn['take'] => {
  return async () => (await course.next()).value;
};

/** Uses the product's own services, with a clock that runs through two years. The same counts give the same sample. */
async function seed(deps: Deps, counts: SeedCounts, say: Say): Promise<{ password: string }> {
  await requireEmptyInstallation(deps);
  if (counts.members === 0 && counts.loans + counts.withdrawals > 0) {
    throw new Refusal('Loans and withdrawals need at least one member.');
  }
  const endMs = deps.clock.now().getTime();
  const clock = { nowMs: endMs - days.members[0] * dayMs };
  const password = newPassword();
  await inOneLongTransaction(deps.database, async (tx) => {
    const sample = await beginSample(deps, tx, clock, { password, endMs });
    const begin: Record<Kind, (number: number, isWaiting: boolean) => Turn['take']> = {
      members: (number) => () => join(sample, number),
      loans: (number, isWaiting) => stepsOf(borrow(sample, number, isWaiting)),
      withdrawals: (number, isWaiting) => stepsOf(withdraw(sample, number, isWaiting)),
    };
    const turns = kinds.flatMap((kind) => {
      const [[first, last], count] = [days[kind], counts[kind]];
      return Array.from({ length: count }, (_, number): Turn => {
        const daysAgo = first - ((first - last) * (number + 1)) / count;
        const take = begin[kind](number, number >= count * (1 - waitingShare[kind]));
        return { atMs: Math.floor(endMs - daysAgo * dayMs), take, isBegun: false };
      });
    });

    const progress = createProgress(say);
    /** Latest first, so that the next turn is the last one. */
    const upcoming = turns.sort((one, other) => one.atMs - other.atMs).reverse();
    const total = turns.length;
    let begun = 0;
    while (upcoming.length > 0) {
      await sample.sealed(async () => {
        for (let count = 0; count < stepsAtATime; count += 1) {
          const turn = upcoming.pop();
          if (!turn) return;
          if (!turn.isBegun) begun += 1;
          clock.nowMs = Math.max(clock.nowMs, turn.atMs);
          const atMs = await turn.take();
          if (atMs === undefined || atMs > endMs) continue;
          const place = upcoming.findLastIndex((other) => other.atMs > atMs) + 1;
          upcoming.splice(place, 0, { ...turn, atMs, isBegun: true });
        }
      });
      progress(`${begun.toLocaleString('en')} of ${counted(total, 'record')} …`);
    }
    clock.nowMs = endMs;
    await sample.sealed(async () => {
      // A suspended account gets no release.
      await leaveSomeUndecided(sample, Math.ceil(counts.loans / 100));
      for (const { number, id } of sample.members) {
        if (samplePerson(number, sample.banks).status === 'suspended')
          await edit(sample, id, { status: 'suspended' });
      }
      await audit({ deps, tx, actor: serverConsole }, 'sample_data_added', {}, { after: counts });
    });
  });
  await vacuumTables(deps.database);
  return { password };
}

async function requireEmptyInstallation({ config, database }: Deps): Promise<void> {
  if (!config.lender.isSample) {
    throw new Refusal('Sample data is for the sample lender only: LENDER_CONFIG names another one.');
  }
  // Including deleted ones: their books stay.
  const { rows } = await database.read((reader) =>
    reader.execute(sql`select from accounts where not is_admin limit 1`),
  );
  if (rows.length > 0) {
    throw new Refusal('There are members already, and sample data is for an empty installation only.');
  }
}

/** Everybody acts from the server's own machine. */
const address = '127.0.0.1';
const language = 'en';

/** A second member of staff, without whom requests would need no decision. */
const sampleClerk = { fullName: 'Sample Clerk', email: 'clerk@sample.example' };

type Sample = Awaited<ReturnType<typeof beginSample>>;

async function beginSample(
  real: Deps,
  tx: Tx,
  clock: { nowMs: number },
  { password, endMs }: { password: string; endMs: number },
) {
  const passwordHash = await real.passwords.hash(password);
  const photo = await real.images.readImage(samplePhoto);
  const deps: Deps = {
    ...real,
    clock: { now: () => new Date(clock.nowMs) },
    // Years pass in seconds, and from a single address.
    config: { ...real.config, rateLimitScale: Number.POSITIVE_INFINITY },
    // One hash for everybody: hashing takes longer than all the rest.
    passwords: { ...real.passwords, hash: async () => passwordHash },
    images: {
      ...real.images,
      readImage: async (upload) => (upload === samplePhoto ? photo : real.images.readImage(upload)),
    },
    // One transaction: all or nothing, and one flush to the disk.
    database: {
      ...real.database,
      read: (work) => work(tx),
      snapshot: (work) => work(tx),
      transaction: (work) => work(tx),
    },
  };
  /** In parts: unsealed rows and unawaited statements are kept in memory. */
  const sealed = <Result>(work: () => Promise<Result>): Promise<Result> =>
    untilAllAnswered(tx, () => sealingRows(tx, real.secrets, work));
  const staffOf = async (id: number): Promise<Staff> => ({ ...(await callerOf(tx, id)), wants: noSecrets });
  const [admin, clerk] = await sealed(async () => {
    const main = await staffOf(limits.mainAdminId);
    const { user } = await createAdmin(deps, main, { ...sampleClerk, password });
    return [main, await staffOf(user.id)] as const;
  });
  const banks = deps.config.lender.partnerBanks.map(({ name }) => name);
  const members: { number: number; id: number }[] = [];
  return {
    deps,
    tx,
    password,
    endMs,
    sealed,
    admin,
    clerk,
    banks,
    members,
    /** Members with a loan in their wallet. */
    funded: [] as typeof members,
    /** Loans that are approved and not released, those released that are not cancelled, and payments. */
    approved: [] as number[],
    released: [] as number[],
    confirmed: [] as number[],
    paidOut: 0,
    references: 0,
  };
}

async function callerOf(tx: Tx, id: number): Promise<Caller> {
  const account = await findAccount(tx, id);
  if (!account) throw new Error('somebody of the sample has no account');
  return { id, account, tokenHash: '', address, isAddressKnown: true };
}

const as = <By extends Caller>({ deps, tx }: Sample, actor: By): Act<By> => ({ deps, tx, actor });

const todayOf = ({ deps }: Sample) => manilaDate(deps.clock.now());

const noonOf = (date: ManilaDate) => Date.parse(`${date}T12:00:00+08:00`);

const edit = (sample: Sample, id: number, form: MemberEdit, staff = sample.admin) =>
  updateMember(as(sample, staff), id, { form, password: undefined });

/** Never after the sample's end: only records that are meant to wait are undecided then. */
const decidedAt = ({ deps, endMs }: Sample) => Math.min(deps.clock.now().getTime() + decidedAfterMs, endMs);

async function join(sample: Sample, number: number): Promise<undefined> {
  const { deps, tx, banks, password, members } = sample;
  const { phone, fullName, email, status, creditScore, ...profile } = samplePerson(number, banks);
  const { user } = await register(deps, { phone, fullName, email, password }, { address, language });
  const caller = await callerOf(tx, user.id);
  const { url } = await storeDocument(deps, caller, samplePhoto);
  const documents = { idFrontUrl: url, idBackUrl: url, selfieUrl: url };
  await updateProfile(as(sample, caller), { ...profile, ...documents }, language);
  members.push({ number, id: user.id });
  await edit(sample, user.id, { creditScore, ...(status !== 'pending' && { status: 'active' }) });
}

async function* borrow(sample: Sample, number: number, isWaiting: boolean): Course {
  const { tx, members } = sample;
  const member = members[(number * turnStride) % members.length];
  if (!member) throw new Error('nobody is there to borrow');
  const status = pick(decisions, number, 'loan status');
  const isPaidOut = !isWaiting && (status === 'active' || status === 'completed');
  const life = isPaidOut ? lives[sample.paidOut++ % lives.length] : undefined;
  const application = {
    amount: centavos(sampleLoanCentavos(number)),
    purpose: pick(purposes, number, 'purpose'),
    termMonths: life?.termMonths ?? pick(terms, number, 'term'),
  };
  const borrower = as(sample, await callerOf(tx, member.id));
  const { id: loanId } = await applyForLoan(borrower, application, language);
  if (isWaiting) return;
  yield decidedAt(sample);
  await updateLoan(as(sample, sample.admin), loanId, { status: life ? 'approved' : status });
  if (status === 'approved') sample.approved.push(loanId);
  if (life?.channel === 'wallet') sample.funded.push(member);
  if (life) yield* liveThrough(sample, loanId, life);
}

async function* withdraw(sample: Sample, number: number, isWaiting: boolean): Course {
  const { tx, members, funded, banks, admin, clerk } = sample;
  const member = pick(funded.length > 0 ? funded : members, number, 'withdrawer');
  const amount = centavos(
    limits.withdrawalMinCentavos * (1 + Math.floor(seededRandom(number, 'withdrawal amount') * 30)),
  );
  const bank = {
    ...sampleBank(member.number, banks),
    // Another account than the profile's, so it needs a review first.
    ...(isWaiting && number % 2 === 0 && { bankAccountNumber: '100000000000' }),
  };
  const caller = await callerOf(tx, member.id);
  const otp = String(100_000 + Math.floor(seededRandom(number, 'code') * 900_000));
  await edit(sample, member.id, { otpCode: otp });
  const balance = caller.account.balanceCentavos;
  // An employee who does not complete withdrawals raises the balance.
  if (balance < amount) await edit(sample, member.id, { balance: amount }, clerk);
  const withdrawal = await requestWithdrawal(as(sample, caller), { amount, ...bank, otp });
  if (withdrawal instanceof KeptFailure) throw withdrawal;
  if (isWaiting) return;
  yield decidedAt(sample);
  const status = seededRandom(number, 'withdrawal status') < 0.85 ? 'completed' : 'rejected';
  await updateWithdrawal(as(sample, admin), withdrawal.id, { status });
}

/** The course of a paid-out loan. Instalments are paid on time, except as stated here. */
type Life = {
  channel: 'wallet' | 'direct' | 'recorded';
  termMonths?: number;
  /** Taken over from other books, where it ran for this long. */
  monthsOld?: number;
  /** The age of the oldest unpaid instalment. */
  monthsBehind?: number;
  pays?: number;
  /** Happens around the second instalment. */
  outcome?: 'cancelled' | 'settled' | 'written_off' | 'deferred' | 'waived' | 'rejected' | 'reversed';
};

/** In turn, the longest first: the earliest loans are the oldest. */
const lives: readonly Life[] = [
  { channel: 'wallet', termMonths: 6 },
  { channel: 'wallet', termMonths: 24, pays: 2, outcome: 'settled' },
  { channel: 'direct', termMonths: 24, pays: 1, outcome: 'written_off' },
  { channel: 'wallet', termMonths: 36, monthsBehind: 5 },
  { channel: 'recorded', termMonths: 36, monthsOld: 5 },
  { channel: 'direct', termMonths: 36, monthsBehind: 3 },
  { channel: 'wallet', termMonths: 24, outcome: 'waived' },
  { channel: 'wallet', termMonths: 36 },
  { channel: 'wallet', termMonths: 24, monthsBehind: 2 },
  { channel: 'direct', termMonths: 24, outcome: 'reversed' },
  { channel: 'wallet', termMonths: 24, outcome: 'deferred' },
  { channel: 'wallet', termMonths: 24, monthsBehind: 1 },
  { channel: 'direct', termMonths: 24, outcome: 'rejected' },
  { channel: 'wallet', outcome: 'cancelled' },
  { channel: 'wallet' },
  { channel: 'recorded' },
];

const confirmedAfterDays = 3;
const monthDays = 30;
/** Besides the wallet when it has enough; cash twice as often as any other. */
const channels: readonly PaymentRecord['channel'][] = ['cash', ...accountChannels];

/** A loan from its release on. The clerk does everything that does not take the main admin. */
async function* liveThrough(sample: Sample, loanId: number, life: Life): Course {
  const { channel, outcome, monthsOld = 0, monthsBehind = 0 } = life;
  const start = addMonths(todayOf(sample), -monthsOld);
  const given = { channel, date: start, ...(channel === 'direct' && { reference: nextReference(sample) }) };
  await agreed(sample, takeStep(loanSteps.disbursement, await work(sample, loanId), given));
  if (outcome === 'cancelled') {
    yield noonOf(addDays(start, 1));
    const { loan, borrower } = await servicedLoan(sample, loanId);
    const form = { reason: 'Sample: the borrower changed their mind' };
    if (borrower.account.balanceCentavos >= loan.amountCentavos)
      await agreed(sample, takeStep(loanSteps.cancellation, await work(sample, loanId), form));
    return;
  }
  sample.released.push(loanId);
  const reason = 'Sample: the borrower lost their job';
  const due = (number: number) => addMonths(start, limits.firstInstalmentAfterMonths + number - 1);
  const paidUntil = addDays(manilaDate(new Date(sample.endMs)), -monthDays * monthsBehind);
  const { loan } = await servicedLoan(sample, loanId);
  for (let number = 1; number <= (life.pays ?? loan.termMonths); number += 1) {
    const happens = number === 2 ? outcome : undefined;
    if (happens === 'deferred') {
      yield noonOf(addDays(due(2), -6));
      await agreed(sample, takeStep(loanSteps.deferral, await work(sample, loanId), { months: 2, reason }));
    }
    const dueDate = due(outcome === 'deferred' && number > 1 ? number + 2 : number);
    if (dueDate >= paidUntil) break;
    const valueDate = addDays(
      dueDate,
      happens === 'waived' ? 20 : -Math.floor(seededRandom(number, 'early') * 4),
    );
    yield noonOf(valueDate);
    if (happens === 'waived') {
      const { terms, events } = await servicedLoan(sample, loanId);
      const amount = position(terms, events, valueDate).account.lateChargesOwed;
      if (amount > 0)
        await agreed(sample, takeStep(loanSteps.waiver, await work(sample, loanId), { amount, reason }));
    }
    if (happens === 'rejected' || happens === 'reversed')
      yield* pay(sample, loanId, { valueDate, channel: 'cheque' }, happens);
    else yield* pay(sample, loanId, { valueDate });
  }
  if (outcome === 'written_off') {
    yield noonOf(addDays(due(2), 4 * monthDays));
    const { admin, clerk } = sample;
    await agreed(sample, takeStep(loanSteps.write_off, await work(sample, loanId, admin), { reason }), clerk);
    yield noonOf(addDays(todayOf(sample), 9));
    yield* pay(sample, loanId, { amount: centavos(5_000_00), channel: 'cash' });
  }
  if (outcome === 'settled') {
    yield noonOf(addDays(due(2), 10));
    const { terms, events } = await servicedLoan(sample, loanId);
    const owed = settlementOn(terms, events, todayOf(sample))?.amount;
    if (owed === undefined) throw new Error('a loan of the sample cannot be settled');
    // A little more than needed: the rest is refunded.
    yield* pay(sample, loanId, { amount: centavos(owed + 500_00), channel: 'cash', settlement: true });
  }
}

const work = (sample: Sample, loanId: number, staff = sample.clerk) => lockForWork(as(sample, staff), loanId);

/** Awaits a step, and has a second person approve it if it takes two. */
async function agreed(sample: Sample, doing: Promise<object>, decider = sample.admin): Promise<void> {
  const done = await doing;
  if (done instanceof AwaitsApproval)
    await decide(as(sample, decider), done.approval.id, { decision: 'approved' });
  // Nothing is committed before the end of the sample.
  await numberReceiptsIn(sample);
}

async function servicedLoan({ tx }: Sample, loanId: number) {
  const { terms, events, loan } = await lockServicedLoan(tx, loanId);
  if (!terms) throw new Error('a loan of the sample is not disbursed');
  return { loan, terms, events, borrower: await callerOf(tx, loan.accountId) };
}

function nextReference(sample: Sample): string {
  sample.references += 1;
  return `SAMPLE ${String(sample.references).padStart(6, '0')}`;
}

/** A payment; by default an instalment, paid today. */
type Paid = {
  amount?: Centavos;
  valueDate?: ManilaDate;
  channel?: PaymentRecord['channel'];
  settlement?: true;
};

/** Cash and wallet money count at once. `ends`: how any other payment ends instead of being confirmed for good. */
async function* pay(sample: Sample, loanId: number, paid: Paid, ends?: 'rejected' | 'reversed'): Course {
  const { deps, admin, clerk } = sample;
  const { loan, borrower } = await servicedLoan(sample, loanId);
  const { amount = centavos(loan.monthlyPaymentCentavos), valueDate = todayOf(sample) } = paid;
  const serial = sample.references;
  const isFromWallet =
    borrower.account.balanceCentavos >= amount && seededRandom(serial, 'from the wallet') < 0.2;
  const possible = channels.filter((one) => amount <= channelMaxCentavos(one));
  const channel = paid.channel ?? (isFromWallet ? 'wallet' : pick(possible, serial, 'channel'));
  const form = {
    ...paid,
    amount,
    valueDate,
    channel,
    reference: nextReference(sample),
    ...(channel === 'wallet' && { reason: 'Sample: asked for at the counter' }),
  };
  if (channel === 'cash' || channel === 'wallet') {
    await agreed(sample, recordPayment(await work(sample, loanId), form));
    return;
  }
  const confirmedAtMs = noonOf(addDays(todayOf(sample), confirmedAfterDays));
  // A payment that is still undecided at the end is one that the borrower sent.
  if (confirmedAtMs > sample.endMs) {
    const { url: proofUrl } = await storeDocument(deps, borrower, sampleProof(serial));
    await payOwnLoan(as(sample, borrower), loanId, { ...form, channel, paidOn: valueDate, proofUrl });
    return;
  }
  const recorded = await recordPayment(await work(sample, loanId), form);
  if (recorded instanceof AwaitsApproval) throw new Error('only cash and wallet money wait for a decision');
  const { id } = recorded;
  const update = (status: 'confirmed' | 'rejected' | 'reversed', staff = admin) =>
    agreed(sample, updatePayment(as(sample, staff), id, { status, reason: 'Sample: not on the statement' }));
  yield confirmedAtMs;
  await update(ends === 'rejected' ? 'rejected' : 'confirmed');
  if (!ends) {
    sample.confirmed.push(id);
    return;
  }
  yield noonOf(addDays(todayOf(sample), confirmedAfterDays));
  if (ends === 'reversed') await update('reversed', clerk);
  yield* pay(sample, loanId, { amount, channel: 'cash' });
}

/** Leaves open requests for the main admin, and one refused request. */
async function leaveSomeUndecided(sample: Sample, count: number): Promise<void> {
  const { admin, clerk, approved, released, confirmed } = sample;
  let unpaid = count;
  for (const id of released.toReversed()) {
    if (unpaid === 0) break;
    const { terms, events } = await servicedLoan(sample, id);
    // Some are paid off by now.
    if (!settlementOn(terms, events, todayOf(sample))) continue;
    unpaid -= 1;
    await pay(sample, id, { channel: 'gcash' }).next();
  }
  for (const id of approved.slice(-count))
    await takeStep(loanSteps.disbursement, await work(sample, id), { channel: 'wallet' });
  const reason = 'Sample: typed in for the wrong loan';
  for (const [index, id] of confirmed.slice(-count - 1).entries()) {
    const asked = await updatePayment(as(sample, clerk), id, { status: 'reversed', reason });
    if (index > 0 || !(asked instanceof AwaitsApproval)) continue;
    const refusal = { decision: 'rejected', reason: 'Sample: it is on the statement' } as const;
    await decide(as(sample, admin), asked.approval.id, refusal);
  }
}

/** A prime above the highest count: every member gets a turn, in a mixed order. */
const turnStride = 1_000_003;

/** From 0 to 1, pseudo-random and the same each time, for the `what` of record `number`. */
export const seededRandom = (number: number, what: string): number =>
  Number.parseInt(hash('sha256', `${what} ${number}`).slice(0, 8), 16) / 2 ** 32;

export function pick<Item>(items: readonly Item[], number: number, what: string): Item {
  const item = items[Math.floor(seededRandom(number, what) * items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}

const list = (text: string) => text.split(', ');
const givenNames = list(
  'Maria, Jose, Angelica, Juan, Kristine, Mark, Rosario, Antonio, Liza, Ramon, Corazon, Danilo, Imelda, Fernando, Gloria, Eduardo, Teresita, Rodel, Marites, Benigno, Luzviminda, Rey, Jocelyn, Arnel, Cherry, Joel, Rowena, Dennis, Alma, Hilario',
);
const familyNames = list(
  'Santos, Reyes, Cruz, Bautista, Ocampo, Garcia, Mendoza, Torres, Tomas, Andrada, Castillo, Flores, Villanueva, Ramos, Castro, Rivera, Aquino, Navarro, Salazar, Mercado, Dela Cruz, Peña, Dizon, Evangelista, Hernandez, Ignacio, Javier, Kalaw, Lacson, Magsaysay, Natividad, Pascual, Quizon, Soriano, Tolentino, Umali, Valdez, Yumul, Zamora, Abad',
);
const places = list(
  'Quezon City, Cabanatuan City, Cebu City, Davao City, Iloilo City, Baguio City, Naga City, Tarlac City, Manila, Makati, Pasig, Batangas City, Bacolod City, General Santos City',
);
const countries = list('Philippines, Philippines, Philippines, Saudi Arabia, Singapore, Hong Kong');
export const purposes = list(
  'Stock for the sari-sari store, Tuition for the second semester, Repair of the roof, Placement abroad, Hospital bill, A second tricycle, Seeds and fertiliser',
);
export const terms = [6, 12, 18, 24, 36, 48];
export const decisions = list(
  'active, active, active, approved, completed, completed, denied, rejected, account_issue, for_interview',
);

/** A grey rectangle of 64 × 40 pixels, for all three photos. */
const samplePhoto = Buffer.from(
  'R0lGODlhQAAoAIAAAExpccjIyCH5BAUAAAAALAAAAABAACgAAAI0jI+py+0Po5y02ouz3rz7D4biSJbmiabqyrbuC8fyTNf2jef6zvf+DwwKh8Si8YhMKpeIAgA7',
  'base64',
);

/** A colour of its own for each serial, since one picture may prove only one payment. */
function sampleProof(serial: number): Buffer {
  const proof = Buffer.from(samplePhoto);
  const colourAt = 16;
  proof.writeUIntBE(serial, colourAt, 3);
  return proof;
}

/** Sample member `number`, from 0, marked as a sample in address and email. No real phone number begins with 0900. */
export function samplePerson(number: number, banks: readonly string[]) {
  const given = pick(givenNames, number, 'given name');
  const family = pick(familyNames, number, 'family name');
  const mailbox = `${given}.${family}`
    .normalize('NFD')
    .replace(/[^A-Za-z.]/g, '')
    .toLowerCase();
  const status = seededRandom(number, 'status');
  return {
    fullName: `${given} ${family}`,
    phone: `0900${String(number + 1).padStart(7, '0')}`,
    email: seededRandom(number, 'email') < 0.8 ? `${mailbox}.${number + 1}@sample.example` : null,
    status:
      status < 0.9 ? ('active' as const) : status < 0.98 ? ('pending' as const) : ('suspended' as const),
    address: `${1 + Math.floor(seededRandom(number, 'house') * 400)} Sample Street, ${pick(places, number, 'place')}`,
    countryOfWork: pick(countries, number, 'country'),
    monthlySalary: centavos((15 + Math.floor(seededRandom(number, 'salary') * 100)) * 1_000_00),
    referenceName: `${pick(givenNames, number, 'reference')} ${family}`,
    referencePhone: `0900${String(9_999_999 - number).padStart(7, '0')}`,
    creditScore: 300 + Math.floor(seededRandom(number, 'score') * 550),
    ...sampleBank(number, banks),
  };
}

export function sampleBank(number: number, banks: readonly string[]) {
  return {
    bankName: pick(banks, number, 'bank'),
    bankAccountNumber: String(
      100_000_000_000 + Math.floor(seededRandom(number, 'account') * 899_999_999_999),
    ),
  };
}

/** Small amounts more often than large ones. */
export function sampleLoanCentavos(number: number): number {
  const steps = 12;
  const step = Math.floor(seededRandom(number, 'loan amount') ** 2 * steps);
  const range = limits.loanAmountMaxCentavos - limits.loanAmountMinCentavos;
  const exact = limits.loanAmountMinCentavos + (range * step) / steps;
  return Math.round(exact / limits.loanAmountStepCentavos) * limits.loanAmountStepCentavos;
}

const usage =
  'npm run seed -- [--members <count>] [--loans <count>] [--withdrawals <count>], each at most 1,000,000 and 1,000 when left out';
const countDefault = 1_000;
const countMax = 1_000_000;

export async function seedAndTell(deps: Deps, { words, say }: ConsoleCall): Promise<boolean> {
  const startMs = performance.now();
  const counts = readCounts(words);
  const { password } = await seed(deps, counts, say);
  const parts = kinds.map((kind) => counted(counts[kind], kind.slice(0, -1)));
  say(`${parts.join(', ')} are there now (${secondsSince(startMs)}).`);
  if (counts.members > 0) {
    say(
      `Sample members sign in with 09000000001 and so on, a second member of staff with ${sampleClerk.email}, and the password ${password} (shown only this once).`,
    );
  }
  return true;
}

function readCounts(words: readonly string[]): SeedCounts {
  const counts = { members: countDefault, loans: countDefault, withdrawals: countDefault };
  // `--loans 5` and `--loans=5` alike.
  const parts = words.flatMap((word) => word.split('='));
  for (let index = 0; index < parts.length; index += 2) {
    const kind = kinds.find((one) => `--${one}` === parts[index]);
    const count = parts[index + 1] ?? '';
    if (!kind || !/^\d{1,7}$/.test(count) || Number(count) > countMax) throw new Refusal(`Usage: ${usage}`);
    counts[kind] = Number(count);
  }
  return counts;
}
