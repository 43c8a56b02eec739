import { sql } from 'drizzle-orm';
import { addDays, addMonths, type ManilaDate, manilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { type Centavos, centavos } from '#domain/money.ts';
import { accountChannels, channelMaxCentavos, position, settlementOn } from '#domain/servicing.ts';
import type { Deps } from '#server/deps.ts';
import { KeptFailure } from '#server/failure.ts';
import { Awaiting } from '#server/idempotency.ts';
import { dayMs, hourMs } from '#server/platform/clock.ts';
import { type Tx, untilAllAnswered } from '#server/platform/database/database.ts';
import { newPassword } from '#server/platform/randomness.ts';
import { noSecrets } from '#server/services/account-view.ts';
import { decide } from '#server/services/approval-service.ts';
import { audit } from '#server/services/audit-service.ts';
import { storeDocument } from '#server/services/document-service.ts';
import { serverConsole } from '#server/services/first-start-service.ts';
import type { LoanAction } from '#server/services/loan-action-service.ts';
import { lockForWork, lockServicedLoan } from '#server/services/loan-events-service.ts';
import { applyForLoan, updateLoan } from '#server/services/loan-service.ts';
import { loanSteps } from '#server/services/loan-step-table.ts';
import { createAdmin, type MemberEdit, updateMember } from '#server/services/member-service.ts';
import { payOwnLoan } from '#server/services/own-payment-service.ts';
import { type PaymentRecord, recordPayment, updatePayment } from '#server/services/payment-service.ts';
import { updateProfile } from '#server/services/profile-service.ts';
import { type Act, type Caller, register, type Staff } from '#server/services/session-service.ts';
import { requestWithdrawal, updateWithdrawal } from '#server/services/withdrawal-service.ts';
import { findAccount } from '#server/store/account-store.ts';
import { sealingRows } from '#server/store/row-seal-store.ts';
import { inOneLongTransaction, vacuumTables } from './backup-rows.ts';
import {
  type ConsoleCall,
  counted,
  createProgress,
  Refusal,
  type Say,
  secondsSince,
} from './console-text.ts';

export type SeedCounts = { members: number; loans: number; withdrawals: number };

/** How many days ago the first and the last of each happened: members join, then borrow, then withdraw. */
const days = { members: [800, 600], loans: [570, 0], withdrawals: [100, 0] } as const;
const decidedAfterMs = 4 * hourMs;
const stepsAtATime = 100;
/** The share of the newest ones that still wait for staff. */
const waitingShare = { loans: 0.05, withdrawals: 0.04 };

/** An action at a moment; it may lead to later steps. */
type Step = { atMs: number; act: () => Promise<Step[] | undefined>; isFollowUp?: true };

/** Uses the product's own services, with a clock that runs through two years. The same counts give the same sample. */
async function seed(deps: Deps, counts: SeedCounts, say: Say): Promise<{ password: string }> {
  const { members, loans, withdrawals } = counts;
  await requireEmptyInstallation(deps);
  if (members === 0 && loans + withdrawals > 0) {
    throw new Refusal('Loans and withdrawals need at least one member.');
  }
  const endMs = deps.clock.now().getTime();
  const spread = (
    [first, last]: readonly [number, number],
    of: number,
    act: (number: number) => Step['act'],
  ): Step[] =>
    Array.from({ length: of }, (_, number) => ({
      atMs: Math.floor(endMs - (first - ((first - last) * (number + 1)) / of) * dayMs),
      act: act(number),
    }));

  const waits = (kind: keyof typeof waitingShare, number: number) =>
    number >= counts[kind] * (1 - waitingShare[kind]);

  const clock = { nowMs: endMs - days.members[0] * dayMs };
  const password = newPassword();
  await inOneLongTransaction(deps.database, async (tx) => {
    const people = await samplePeople(deps, tx, clock, { password, endMs });
    const steps = [
      ...spread(days.members, members, (number) => () => people.join(number)),
      ...spread(days.loans, loans, (number) => () => people.borrow(number, waits('loans', number))),
      ...spread(days.withdrawals, withdrawals, (number) => {
        return () => people.withdraw(number, waits('withdrawals', number));
      }),
    ].sort((a, b) => a.atMs - b.atMs);

    const progress = createProgress(say);
    /** Latest first, so that the next step is the last one. */
    const upcoming = steps.reverse();
    const add = (step: Step) =>
      upcoming.splice(upcoming.findLastIndex(({ atMs }) => atMs > step.atMs) + 1, 0, step);
    const total = steps.length;
    let begun = 0;
    while (upcoming.length > 0) {
      await people.sealed(async () => {
        for (let count = 0; count < stepsAtATime; count += 1) {
          const step = upcoming.pop();
          if (!step) return;
          if (!step.isFollowUp) begun += 1;
          clock.nowMs = Math.min(step.atMs, endMs);
          for (const next of (await step.act()) ?? []) add({ ...next, isFollowUp: true });
        }
      });
      progress(`${begun.toLocaleString('en')} of ${counted(total, 'record')} …`);
    }
    clock.nowMs = endMs;
    await people.sealed(async () => {
      // A suspended account gets no release.
      await people.leaveSomeUndecided(loans);
      await people.suspendSome();
      await audit({ deps, tx, actor: serverConsole }, 'sample_data_added', {}, counts);
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

async function samplePeople(
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

  const callerOf = async (id: number): Promise<Caller> => {
    const account = await findAccount(tx, id);
    if (!account) throw new Error('somebody of the sample has no account');
    return { id, account, tokenHash: '', address };
  };
  const as = <By extends Caller>(actor: By): Act<By> => ({ deps, tx, actor });
  const staffOf = async (id: number): Promise<Staff> => ({ ...(await callerOf(id)), wants: noSecrets });
  const [admin, clerk] = await sealed(async () => {
    const main = await staffOf(limits.mainAdminId);
    const { user } = await createAdmin(deps, main, { ...sampleClerk, password });
    return [main, await staffOf(user.id)] as const;
  });
  const edit = (id: number, form: MemberEdit, staff = admin) =>
    updateMember(as(staff), id, { form, password: undefined });
  const banks = deps.config.lender.partnerBanks.map(({ name }) => name);

  const members: { number: number; id: number }[] = [];
  const funded: typeof members = [];
  const servicing = sampleServicing(deps, tx, { endMs, admin, clerk, callerOf });
  let paidOut = 0;

  /** By somebody other than the person who completes withdrawals. */
  const addMoney = async (id: number, amountCentavos: number) => {
    const account = await findAccount(tx, id);
    await edit(id, { balance: centavos((account?.balanceCentavos ?? 0) + amountCentavos) }, clerk);
  };

  return {
    sealed,

    async join(number: number): Promise<undefined> {
      const { phone, fullName, email, status, creditScore, ...profile } = samplePerson(number, banks);
      const { user } = await register(deps, { phone, fullName, email, password }, { address, language });
      const caller = await callerOf(user.id);
      const { url } = await storeDocument(deps, caller, samplePhoto);
      const documents = { idFrontUrl: url, idBackUrl: url, selfieUrl: url };
      await updateProfile(as(caller), { ...profile, ...documents }, language);
      const looked = status === 'pending' ? {} : { status: 'active' as const };
      await edit(user.id, { creditScore, ...looked });
      members.push({ number, id: user.id });
    },

    async borrow(number: number, isWaiting: boolean) {
      const member = members[(number * turnStride) % members.length];
      if (!member) throw new Error('nobody is there to borrow');
      const caller = await callerOf(member.id);
      const amount = centavos(sampleLoanCentavos(number));
      const status = pick(decisions, number, 'loan status');
      const isPaidOut = !isWaiting && (status === 'active' || status === 'completed');
      const life = isPaidOut ? lives[paidOut++ % lives.length] : undefined;
      const application = {
        amount,
        purpose: pick(purposes, number, 'purpose'),
        termMonths: life?.termMonths ?? pick(terms, number, 'term'),
      };
      const { id: loanId } = await applyForLoan(as(caller), application, language);
      if (isWaiting) return;
      const decided = async () => {
        const set = (to: string) => updateLoan(as(admin), loanId, { status: to });
        await set(isPaidOut ? 'approved' : status);
        if (status === 'approved') servicing.approved.push(loanId);
        if (!life) return;
        if (life.channel === 'wallet') funded.push(member);
        return servicing.release(loanId, life);
      };
      return [{ atMs: clock.nowMs + decidedAfterMs, act: decided }];
    },

    async withdraw(number: number, isWaiting: boolean) {
      const member = pick(funded.length > 0 ? funded : members, number, 'withdrawer');
      const amount = centavos(
        limits.withdrawalMinCentavos * (1 + Math.floor(seededRandom(number, 'withdrawal amount') * 30)),
      );
      const isHeld = isWaiting && seededRandom(number, 'withdrawal status') < 0.5;
      const bank = {
        ...sampleBank(member.number, banks),
        // Another account than the profile's, so it needs a review first.
        ...(isHeld && { bankAccountNumber: '100000000000' }),
      };
      const caller = await callerOf(member.id);
      const lacking = amount - caller.account.balanceCentavos;
      const otp = String(100_000 + Math.floor(seededRandom(number, 'code') * 900_000));
      await edit(member.id, { otpCode: otp });
      if (lacking > 0) await addMoney(member.id, lacking);
      const withdrawal = await requestWithdrawal(as(caller), { amount, ...bank, otp });
      if (withdrawal instanceof KeptFailure) throw withdrawal;
      if (isWaiting) return;
      const status = seededRandom(number, 'withdrawal status') < 0.85 ? 'completed' : 'rejected';
      const decided = async (): Promise<undefined> => {
        await updateWithdrawal(as(admin), withdrawal.id, { status });
      };
      return [{ atMs: clock.nowMs + decidedAfterMs, act: decided }];
    },

    async suspendSome() {
      for (const { number, id } of members) {
        if (samplePerson(number, banks).status === 'suspended') await edit(id, { status: 'suspended' });
      }
    },

    leaveSomeUndecided: servicing.leaveSomeUndecided,
  };
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

type SampleStaff = { admin: Staff; clerk: Staff };

function sampleServicing(
  deps: Deps,
  tx: Tx,
  { endMs, admin, clerk, callerOf }: SampleStaff & { endMs: number; callerOf(id: number): Promise<Caller> },
) {
  const as = <By extends Caller>(actor: By): Act<By> => ({ deps, tx, actor });
  const today = () => manilaDate(deps.clock.now());
  const approved: number[] = [];
  const open: number[] = [];
  const confirmed: number[] = [];
  let references = 0;
  const reference = () => {
    references += 1;
    return `SAMPLE ${String(references).padStart(6, '0')}`;
  };

  /** Acts at noon of a day, unless the sample ends before; for a past day, at once. */
  const on = (date: ManilaDate, act: Step['act']): Step[] => {
    const atMs = Math.max(Date.parse(`${date}T12:00:00+08:00`), deps.clock.now().getTime());
    return atMs > endMs ? [] : [{ atMs, act }];
  };

  /** Runs a step that takes one person, or has a second one approve it. */
  const agreed = async (doing: Promise<object>, decider = admin): Promise<undefined> => {
    const done = await doing;
    if (done instanceof Awaiting) await decide(as(decider), done.approval.id, { decision: 'approved' });
  };
  const work = (loanId: number, staff = clerk) => lockForWork(as(staff), loanId);
  const act = async (loanId: number, { kind, ...form }: LoanAction, staff = clerk) =>
    agreed(loanSteps[kind].take(await work(loanId, staff), form), staff === clerk ? admin : clerk);
  const standing = async (loanId: number) => {
    const { terms, events, loan } = await lockServicedLoan(tx, loanId);
    if (!terms) throw new Error('a loan of the sample is not disbursed');
    const account = await findAccount(tx, loan.accountId);
    return { loan, terms, events, balanceCentavos: account?.balanceCentavos ?? 0 };
  };

  type Paid = {
    amount?: Centavos;
    valueDate: ManilaDate;
    channel?: PaymentRecord['channel'];
    settlement?: true;
    /** Instead of being confirmed: never counts, or counts at first. */
    ends?: 'rejected' | 'reversed';
  };

  async function pay(loanId: number, { ends, ...paid }: Paid): Promise<Step[] | undefined> {
    const { loan, balanceCentavos } = await standing(loanId);
    const amount = paid.amount ?? centavos(loan.monthlyPaymentCentavos);
    const serial = references;
    const isFromWallet = balanceCentavos >= amount && seededRandom(serial, 'from the wallet') < 0.2;
    const possible = channels.filter((one) => amount <= channelMaxCentavos(one));
    const channel = paid.channel ?? (isFromWallet ? 'wallet' : pick(possible, serial, 'channel'));
    const isNoted = channel !== 'cash' && channel !== 'wallet';
    const next = addDays(today(), confirmedAfterDays);
    const stays = isNoted && on(next, async () => undefined).length === 0;
    const form = {
      ...paid,
      ...{ amount, channel },
      reference: reference(),
      ...(channel === 'wallet' && { reason: 'Sample: asked for at the counter' }),
    };
    // What still waits, the borrower has sent.
    if (stays) {
      const borrower = await callerOf(loan.accountId);
      const { url: proofUrl } = await storeDocument(deps, borrower, sampleProof(serial));
      await payOwnLoan(as(borrower), loanId, { ...form, channel, paidOn: paid.valueDate, proofUrl });
      return;
    }
    const update = (id: number, status: 'confirmed' | 'rejected' | 'reversed', staff = admin) =>
      agreed(updatePayment(as(staff), id, { status, reason: 'Sample: not on the statement' }));
    const recording = recordPayment(await work(loanId), form);
    if (!isNoted) return agreed(recording);
    const recorded = await recording;
    if (recorded instanceof Awaiting) throw new Error('only cash and wallet money wait for a decision');
    const { id } = recorded;
    return on(next, async () => {
      await update(id, ends === 'rejected' ? 'rejected' : 'confirmed');
      if (ends) {
        return on(addDays(next, confirmedAfterDays), async () => {
          if (ends === 'reversed') await update(id, 'reversed', clerk);
          return pay(loanId, { amount, channel: 'cash', valueDate: today() });
        });
      }
      confirmed.push(id);
    });
  }

  async function release(loanId: number, { channel, outcome, ...life }: Life): Promise<Step[]> {
    const start = addMonths(today(), -(life.monthsOld ?? 0));
    const given = { channel, date: start, ...(channel === 'direct' && { reference: reference() }) };
    await agreed(loanSteps.disbursement.take(await work(loanId), given));
    if (outcome === 'cancelled') {
      return on(addDays(today(), 1), async () => {
        const { loan, balanceCentavos } = await standing(loanId);
        const reason = 'Sample: the borrower changed their mind';
        if (balanceCentavos < loan.amountCentavos) return;
        await agreed(loanSteps.cancellation.take(await work(loanId), { reason }));
      });
    }
    open.push(loanId);
    const { loan } = await standing(loanId);
    const due = (number: number, further = 0) =>
      addMonths(start, limits.firstInstalmentAfterMonths + number - 1 + further);
    const paidUntil = addDays(manilaDate(new Date(endMs)), -monthDays * (life.monthsBehind ?? 0));
    const steps: Step[] = [];
    for (let number = 1; number <= (life.pays ?? loan.termMonths); number += 1) {
      const dueDate = due(number, outcome === 'deferred' && number > 1 ? 2 : 0);
      if (dueDate >= paidUntil) break;
      const daysLate =
        outcome === 'waived' && number === 2 ? 25 : -Math.floor(seededRandom(number, 'early') * 4);
      const valueDate = addDays(dueDate, daysLate);
      const ends = number === 2 && (outcome === 'rejected' || outcome === 'reversed') ? outcome : undefined;
      steps.push(
        ...on(valueDate, () => pay(loanId, { valueDate, ...(ends && { ends, channel: 'cheque' }) })),
      );
    }
    const reason = 'Sample: the borrower lost their job';
    if (outcome === 'deferred') {
      steps.push(...on(addDays(due(2), -6), () => act(loanId, { kind: 'deferral', months: 2, reason })));
    }
    if (outcome === 'waived') {
      const waive = async () => {
        const { terms, events } = await standing(loanId);
        const amount = position(terms, events, today()).account.lateChargesOwed;
        // Nothing is owed if the payment was on time after all.
        return amount > 0 ? act(loanId, { kind: 'waiver', amount, reason }) : undefined;
      };
      steps.push(...on(addDays(due(2), 26), waive));
    }
    if (outcome === 'written_off') {
      const writtenOffOn = addDays(due(2), 4 * monthDays);
      const recovered = {
        amount: centavos(5_000_00),
        channel: 'cash',
        valueDate: addDays(writtenOffOn, 9),
      } as const;
      steps.push(...on(writtenOffOn, () => act(loanId, { kind: 'write_off', reason }, admin)));
      steps.push(...on(recovered.valueDate, () => pay(loanId, recovered)));
    }
    if (outcome === 'settled') {
      const settle = async () => {
        const { terms, events } = await standing(loanId);
        const amount = settlementOn(terms, events, today())?.amount;
        if (amount === undefined) throw new Error('a loan of the sample cannot be settled');
        // A little more than needed: the rest is refunded.
        const paid = centavos(amount + 500_00);
        return pay(loanId, { amount: paid, channel: 'cash', valueDate: today(), settlement: true });
      };
      steps.push(...on(addDays(due(2), 10), settle));
    }
    return steps;
  }

  return {
    approved,
    release,

    /** Leaves open requests for the main admin, and one refused request. */
    async leaveSomeUndecided(loans: number) {
      const count = Math.ceil(loans / 100);
      let unpaid = count;
      for (const id of open.toReversed()) {
        if (unpaid === 0) break;
        const { terms, events } = await standing(id);
        // Some are paid off by now.
        if (!settlementOn(terms, events, today())) continue;
        unpaid -= 1;
        await pay(id, { channel: 'gcash', valueDate: today() });
      }
      for (const id of approved.slice(-count)) {
        await loanSteps.disbursement.take(await work(id), { channel: 'wallet' });
      }
      const reason = 'Sample: typed in for the wrong loan';
      for (const [index, id] of confirmed.slice(-count - 1).entries()) {
        const asked = await updatePayment(as(clerk), id, { status: 'reversed', reason });
        if (index > 0 || !(asked instanceof Awaiting)) continue;
        const refusal = { decision: 'rejected', reason: 'Sample: it is on the statement' } as const;
        await decide(as(admin), asked.approval.id, refusal);
      }
    },
  };
}

/** A prime above the highest count: every member gets a turn, in a mixed order. */
const turnStride = 1_000_003;

/** From 0 to 1, pseudo-random and the same each time, for the `what` of record `number`. */
export function seededRandom(number: number, what: string): number {
  let bits = Math.imul(number + 1, 0x9e3779b1);
  for (let index = 0; index < what.length; index += 1) {
    bits = Math.imul(bits ^ what.charCodeAt(index), 0x85ebca6b);
    bits ^= bits >>> 13;
  }
  bits = Math.imul(bits ^ (bits >>> 16), 0xc2b2ae35);
  return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 32;
}

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
const kinds = ['members', 'loans', 'withdrawals'] as const;
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
