import { sql } from 'drizzle-orm';
import { limits } from '#domain/limits.ts';
import { centavos } from '#domain/money.ts';
import type { Deps } from '#server/deps.ts';
import { KeptFailure } from '#server/failure.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { newPassword } from '#server/platform/randomness.ts';
import { noSecrets } from '#server/services/account-view.ts';
import { audit } from '#server/services/audit-service.ts';
import { storeDocument } from '#server/services/document-service.ts';
import { serverConsole } from '#server/services/first-start-service.ts';
import { applyForLoan, updateLoan } from '#server/services/loan-service.ts';
import { type MemberEdit, updateMember } from '#server/services/member-service.ts';
import { updateProfile } from '#server/services/profile-service.ts';
import type { Caller, Staff } from '#server/services/session-service.ts';
import { register } from '#server/services/session-service.ts';
import { requestWithdrawal, updateWithdrawal } from '#server/services/withdrawal-service.ts';
import { findAccount } from '#server/store/account-store.ts';
import type { ConsoleCall } from './console-commands.ts';
import { counted, createProgress, Refusal, type Say, secondsSince } from './console-text.ts';
import { vacuumTables } from './table-store.ts';

/** How much of each. */
export type SeedCounts = { members: number; loans: number; withdrawals: number };

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

/** How many days before now the first and the last of each happened: members join, then borrow, then withdraw. */
const days = { members: [700, 200], loans: [190, 0], withdrawals: [100, 0] } as const;
const decidedAfterMs = 4 * hourMs;
const stepsAtATime = 100;
/** The share of the newest ones, which still wait for staff. */
const waitingShare = { loans: 0.05, withdrawals: 0.04 };

/** What somebody does at a moment; it may lead to another step later. */
type Step = { atMs: number; act: () => Promise<Step | undefined> };

/**
 * Fills an installation that nobody uses yet with sample members, loans and withdrawals. Everything in it was done by
 * the product's own services, under a clock that runs through two years. The same counts give the same sample. Refuses
 * when the lender is a real one or anybody has an account. Answers the password of every sample member.
 */
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
  ) =>
    Array.from({ length: of }, (_, number) => ({
      atMs: Math.floor(endMs - (first - ((first - last) * (number + 1)) / of) * dayMs),
      act: act(number),
    }));

  const clock = { nowMs: endMs };
  const password = newPassword(deps.random);
  const people = await samplePeople(deps, clock, password);
  const steps = [
    ...spread(days.members, members, (number) => () => people.join(number)),
    ...spread(
      days.loans,
      loans,
      (number) => () => people.borrow(number, number >= loans * (1 - waitingShare.loans)),
    ),
    ...spread(
      days.withdrawals,
      withdrawals,
      (number) => () => people.withdraw(number, number >= withdrawals * (1 - waitingShare.withdrawals)),
    ),
  ].sort((a, b) => a.atMs - b.atMs);

  const progress = createProgress(say);
  // Every follow-up comes the same time after its step, so they come in the same order.
  const following: Step[] = [];
  const perform = async ({ atMs, act }: Step) => {
    clock.nowMs = Math.min(atMs, endMs);
    const next = await act();
    if (next) following.push(next);
  };
  for (let start = 0; start < steps.length; start += stepsAtATime) {
    const batch = steps.slice(start, start + stepsAtATime);
    await people.inOneTransaction(async () => {
      for (const step of batch) {
        while (following[0] && following[0].atMs <= step.atMs) await perform(following.shift() as Step);
        await perform(step);
      }
    });
    progress(`${(start + batch.length).toLocaleString('en')} of ${counted(steps.length, 'record')} …`);
  }
  await people.inOneTransaction(async () => {
    for (const step of following) await perform(step);
    clock.nowMs = endMs;
    await people.suspendSome();
  });

  await deps.database.transaction((tx) =>
    audit(deps, tx, serverConsole, { action: 'sample_data_added', after: counts }),
  );
  await vacuumTables(deps.database);
  return { password };
}

async function requireEmptyInstallation({ config, database }: Deps): Promise<void> {
  if (!config.lender.isSample) {
    throw new Refusal('Sample data is for the sample lender only: LENDER_CONFIG names another one.');
  }
  // Deleted ones too: their books stay.
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

/** What members and the main admin of the sample do, at the moment that the clock shows. */
async function samplePeople(real: Deps, clock: { nowMs: number }, password: string) {
  const passwordHash = await real.passwords.hash(password);
  const photo = await real.images.readImage(samplePhoto);
  const deps: Deps = {
    ...real,
    clock: { now: () => new Date(clock.nowMs) },
    // Years pass in seconds, and from a single address.
    config: { ...real.config, rateLimitScale: Number.POSITIVE_INFINITY },
    // The same for everybody, made once: they take longer than all the rest.
    passwords: { ...real.passwords, hash: async () => passwordHash },
    images: { ...real.images, readImage: async () => photo },
    // Many steps share a transaction: each would otherwise commit, and flush the disk, up to a dozen times.
    database: { ...real.database, read: (work) => work(open()), transaction: (work) => work(open()) },
  };
  let openTx: Tx | undefined;
  const open = () => {
    if (!openTx) throw new Error('the sample is written in a transaction');
    return openTx;
  };
  async function inOneTransaction(work: () => Promise<void>): Promise<void> {
    let isRetry = false;
    await real.database.transaction(async (tx) => {
      if (isRetry) throw new Error('the sample met somebody else’s writes');
      isRetry = true;
      openTx = tx;
      await work();
    });
    openTx = undefined;
  }
  const inTransaction = <T>(work: (tx: Tx) => Promise<T>) => deps.database.transaction(work);

  const callerOf = async (id: number): Promise<Caller> => {
    const account = await findAccount(open(), id);
    if (!account) throw new Error('somebody of the sample has no account');
    return { id, account, tokenHash: '', address };
  };
  const account = await real.database.read((reader) => findAccount(reader, limits.mainAdminId));
  if (!account) throw new Error('there is no main admin');
  const admin: Staff = { id: account.id, account, tokenHash: '', address, wants: noSecrets };
  const edit = (tx: Tx, id: number, form: MemberEdit) =>
    updateMember(deps, tx, admin, id, { form, password: undefined });
  const banks = deps.config.lender.partnerBanks.map(({ name }) => name);

  const members: { number: number; id: number }[] = [];
  /** Those whose loan was paid out. */
  const funded: typeof members = [];

  const addMoney = async (tx: Tx, id: number, amountCentavos: number, form: MemberEdit = {}) => {
    const account = await findAccount(tx, id);
    const balance = centavos((account?.balanceCentavos ?? 0) + amountCentavos);
    await edit(tx, id, { ...form, balance });
  };

  return {
    inOneTransaction,

    async join(number: number) {
      const { phone, fullName, email, status, creditScore, ...profile } = samplePerson(number, banks);
      const { user } = await register(deps, { phone, fullName, email, password }, { address, language });
      const caller = await callerOf(user.id);
      const { url } = await storeDocument(deps, caller, samplePhoto);
      const documents = { idFrontUrl: url, idBackUrl: url, selfieUrl: url };
      await updateProfile(deps, caller, { ...profile, ...documents }, language);
      const looked = status === 'pending' ? {} : { status: 'active' as const };
      await inTransaction((tx) => edit(tx, user.id, { creditScore, ...looked }));
      members.push({ number, id: user.id });
      return undefined;
    },

    async borrow(number: number, isWaiting: boolean) {
      const member = members[(number * turnStride) % members.length];
      if (!member) throw new Error('nobody is there to borrow');
      const caller = await callerOf(member.id);
      const amount = centavos(sampleLoanCentavos(number));
      const application = {
        amount,
        purpose: pick(purposes, number, 'purpose'),
        termMonths: pick(terms, number, 'term'),
      };
      const { id: loanId } = await inTransaction((tx) =>
        applyForLoan(deps, tx, caller, application, language),
      );
      if (isWaiting) return undefined;
      const status = pick(decisions, number, 'loan status');
      const isPaidOut = status === 'active' || status === 'completed';
      const decide = async () => {
        await inTransaction(async (tx) => {
          await updateLoan(deps, tx, admin, loanId, { status: isPaidOut ? 'approved' : status });
          if (!isPaidOut) return;
          await addMoney(tx, member.id, amount, { reason: 'disbursement', loanId });
          await updateLoan(deps, tx, admin, loanId, { status });
        });
        if (isPaidOut) funded.push(member);
        return undefined;
      };
      return { atMs: clock.nowMs + decidedAfterMs, act: decide };
    },

    async withdraw(number: number, isWaiting: boolean) {
      const member = pick(funded.length > 0 ? funded : members, number, 'withdrawer');
      const amount = centavos(
        limits.withdrawalMinCentavos * (1 + Math.floor(chance(number, 'withdrawal amount') * 30)),
      );
      const isHeld = isWaiting && chance(number, 'withdrawal status') < 0.5;
      const bank = {
        ...sampleBank(member.number, banks),
        // Not the account of the profile: somebody has to look at it first.
        ...(isHeld && { bankAccountNumber: '100000000000' }),
      };
      const caller = await callerOf(member.id);
      const lacking = amount - caller.account.balanceCentavos;
      const otp = String(100_000 + Math.floor(chance(number, 'code') * 900_000));
      const withdrawal = await inTransaction(async (tx) => {
        await edit(tx, member.id, { otpCode: otp });
        if (lacking > 0) await addMoney(tx, member.id, lacking);
        return requestWithdrawal(deps, tx, caller, { amount, ...bank, otp });
      });
      if (withdrawal instanceof KeptFailure) throw withdrawal.failure;
      if (isWaiting) return undefined;
      const status = chance(number, 'withdrawal status') < 0.85 ? 'completed' : 'rejected';
      const decide = async () => {
        await inTransaction((tx) => updateWithdrawal(deps, tx, admin, withdrawal.id, { status }));
        return undefined;
      };
      return { atMs: clock.nowMs + decidedAfterMs, act: decide };
    },

    async suspendSome() {
      for (const { number, id } of members) {
        if (samplePerson(number, banks).status !== 'suspended') continue;
        await inTransaction((tx) => edit(tx, id, { status: 'suspended' }));
      }
    },
  };
}

/** A prime above the highest count: one member after the other has a turn, in a mixed order. */
const turnStride = 1_000_003;

/**
 * A number from 0 up to 1 that looks like chance and is the same each time, for the `what` of the sample's record
 * `number`.
 */
export function chance(number: number, what: string): number {
  let bits = Math.imul(number + 1, 0x9e3779b1);
  for (let index = 0; index < what.length; index += 1) {
    bits = Math.imul(bits ^ what.charCodeAt(index), 0x85ebca6b);
    bits ^= bits >>> 13;
  }
  bits = Math.imul(bits ^ (bits >>> 16), 0xc2b2ae35);
  return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 32;
}

export function pick<Item>(items: readonly Item[], number: number, what: string): Item {
  const item = items[Math.floor(chance(number, what) * items.length)];
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
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAAAoCAIAAADBrGu+AAAAPklEQVR42u3PMQ0AAAgDsPk3yMeJDjRwkjSpgaZ6XouAgICAgICAgICAgICAgICAgICAgICAgICAgICAwMUCpkcPhxY+85sAAAAASUVORK5CYII=',
  'base64',
);

/**
 * The sample member `number`, counted from 0: made up from lists, and marked as a sample in address and email. Nobody
 * has a phone that begins with 0900.
 */
export function samplePerson(number: number, banks: readonly string[]) {
  const given = pick(givenNames, number, 'given name');
  const family = pick(familyNames, number, 'family name');
  const mailbox = `${given}.${family}`
    .normalize('NFD')
    .replace(/[^A-Za-z.]/g, '')
    .toLowerCase();
  const status = chance(number, 'status');
  return {
    fullName: `${given} ${family}`,
    phone: `0900${String(number + 1).padStart(7, '0')}`,
    email: chance(number, 'email') < 0.8 ? `${mailbox}.${number + 1}@sample.example` : null,
    status:
      status < 0.9 ? ('active' as const) : status < 0.98 ? ('pending' as const) : ('suspended' as const),
    address: `${1 + Math.floor(chance(number, 'house') * 400)} Sample Street, ${pick(places, number, 'place')}`,
    countryOfWork: pick(countries, number, 'country'),
    monthlySalary: centavos((15 + Math.floor(chance(number, 'salary') * 100)) * 1_000_00),
    referenceName: `${pick(givenNames, number, 'reference')} ${family}`,
    referencePhone: `0900${String(9_999_999 - number).padStart(7, '0')}`,
    creditScore: 300 + Math.floor(chance(number, 'score') * 550),
    ...sampleBank(number, banks),
  };
}

/** Where a sample member's money goes. */
export function sampleBank(number: number, banks: readonly string[]) {
  return {
    bankName: pick(banks, number, 'bank'),
    bankAccountNumber: String(100_000_000_000 + Math.floor(chance(number, 'account') * 899_999_999_999)),
  };
}

/** Small amounts are asked for more often than large ones. */
export function sampleLoanCentavos(number: number): number {
  const steps = 12;
  const step = Math.floor(chance(number, 'loan amount') ** 2 * steps);
  const range = limits.loanAmountMaxCentavos - limits.loanAmountMinCentavos;
  const exact = limits.loanAmountMinCentavos + (range * step) / steps;
  return Math.round(exact / limits.loanAmountStepCentavos) * limits.loanAmountStepCentavos;
}

const usage =
  'npm run seed -- [--members <count>] [--loans <count>] [--withdrawals <count>], each at most 1,000,000 and 1,000 when left out';
const kinds = ['members', 'loans', 'withdrawals'] as const;
const countDefault = 1_000;
const countMax = 1_000_000;

/** Fills an empty installation of the sample lender with sample data, and tells the members' password. */
export async function seedAndTell(deps: Deps, { words, say }: ConsoleCall): Promise<boolean> {
  const startMs = performance.now();
  const counts = readCounts(words);
  const { password } = await seed(deps, counts, say);
  const parts = kinds.map((kind) => counted(counts[kind], kind.slice(0, -1)));
  say(`${parts.join(', ')} are there now (${secondsSince(startMs)}).`);
  if (counts.members > 0) {
    say(
      `Sample members sign in with 09000000001 and so on, and the password ${password} (shown only this once).`,
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
