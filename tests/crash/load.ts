import { setTimeout as sleep } from 'node:timers/promises';
import { formWithFile, photo } from '#tests/setup/photo.ts';
import { fullProfile } from '#tests/setup/test-server.ts';
import {
  type Answer,
  borrowerPassword,
  memberEdit,
  newKey,
  nextPhone,
  type Request,
  registrationOf,
  sendUntilAnswered,
  withdrawalBy,
} from './client.ts';

/** The sums of one customer's acknowledged answers: the books must say exactly this. */
export type Customer = {
  id: number;
  token: string;
  balanceCentavos: number;
  /** Entries that the ledger must have. */
  entries: number;
  withdrawals: Map<number, { withdrawalNumber: string; amountCentavos: number; status: string }>;
  loans: Map<number, string>;
  /** The loan whose money went into the wallet, and the payment on it that counts. */
  disbursed: number | undefined;
  payment: { id: number; amountCentavos: number } | undefined;
  documents: string[];
  isVerified: boolean;
};

/** A request with a key that was answered: whoever sends it again gets the same, for ever. */
type Settled = { request: Request; answer: Answer };

export type Load = {
  customers: readonly Customer[];
  /** Waits until every client is between two operations, and keeps them there. */
  pause(): Promise<void>;
  resume(): void;
  /** Requests that were answered as done. */
  acknowledged(): number;
  /** Requests that got no answer, so that the client asked again. */
  askedAgain(): number;
  /** Things that a client saw and may never see. */
  problems: string[];
};

type LoadSettings = { origin: () => string; staff: string; clients: number };

/**
 * Several clients at once, each with customers of its own: they register, are funded, get codes, withdraw, apply, and
 * staff decide. Who gets no answer asks again with the same key, as the web app does. Nothing else touches these
 * customers, so what each one's books must hold is known to the centavo.
 */
export async function startLoad({ origin, staff, clients }: LoadSettings): Promise<Load> {
  const customers: Customer[] = [];
  const problems: string[] = [];
  const receipts = new Map<string, number>();
  let acknowledged = 0;
  let askedAgain = 0;
  const picture = formWithFile(await photo());
  let gate: Promise<void> = Promise.resolve();
  let open = () => {};
  const between = new Set<number>();
  let gone = 0;

  async function ask(request: Request): Promise<Answer> {
    let tries = 0;
    const answer = await sendUntilAnswered(() => {
      tries += 1;
      if (tries === 2) askedAgain += 1;
      return origin();
    }, request);
    if (answer.status < 300) acknowledged += 1;
    return answer;
  }

  async function mustDo(request: Request): Promise<Answer> {
    const answer = await ask(request);
    if (answer.status >= 300) {
      throw new Error(`${request.path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    }
    return answer;
  }

  /** A registration has no key: whoever lost its answer is told that the account exists, and signs in. */
  async function join(isVerified: boolean): Promise<Customer> {
    const form = registrationOf(nextPhone());
    const first = await ask({ path: '/api/auth/register', body: form });
    const { phone, password } = { ...form, password: borrowerPassword };
    const { body } =
      first.status === 409 ? await mustDo({ path: '/api/auth/login', body: { phone, password } }) : first;
    const { id } = body.user as { id: number };
    const token = String(body.token);
    const customer: Customer = {
      id,
      token,
      balanceCentavos: 0,
      entries: 0,
      withdrawals: new Map(),
      loans: new Map(),
      disbursed: undefined,
      payment: undefined,
      documents: [],
      isVerified,
    };
    customers.push(customer);
    const urls: string[] = [];
    for (let n = 0; isVerified && n < 3; n += 1) urls.push(await upload(customer));
    const [idFrontUrl, idBackUrl, selfieUrl] = urls;
    const change = { ...fullProfile, idFrontUrl, idBackUrl, selfieUrl };
    await mustDo({ method: 'PUT', path: '/api/user/profile', token, body: change });
    return customer;
  }

  async function upload(customer: Customer): Promise<string> {
    const { body } = await mustDo({ path: '/api/upload', token: customer.token, form: picture });
    customer.documents.push(String(body.url));
    return String(body.url);
  }

  async function client(number: number): Promise<void> {
    const settled: Settled[] = [];
    let customer = await join(true);
    for (let step = number; ; step += 1) {
      between.add(number);
      await gate;
      between.delete(number);
      if (step % 12 === 11) customer = await join(false);
      await operations[step % operations.length]?.(customer, settled);
    }
  }

  /** Each payment is told its number at once, and no other payment ever has it. */
  function noteReceipt(number: string, paymentId: number): void {
    if (!/^AR-\d{4}-\d{6}$/.test(number))
      problems.push(`payment ${paymentId} was answered receipt ${number}`);
    if (receipts.has(number))
      problems.push(`${number} is of payments ${receipts.get(number)} and ${paymentId}`);
    receipts.set(number, paymentId);
  }

  async function keyed(settled: Settled[], request: Request): Promise<Answer> {
    const whole = { ...request, key: newKey() };
    const answer = await mustDo(whole);
    settled.push({ request: whole, answer });
    return answer;
  }

  async function addMoney(customer: Customer, settled: Settled[]): Promise<void> {
    const wanted = customer.balanceCentavos + 3_000_00 + Math.floor(Math.random() * 1_000_00);
    const body = {
      balance: pesos(wanted),
      expectedBalance: pesos(customer.balanceCentavos),
    };
    await keyed(settled, memberEdit(staff, customer, body));
    customer.balanceCentavos = wanted;
    customer.entries += 1;
  }

  async function withdraw(customer: Customer, settled: Settled[]): Promise<void> {
    const otpCode = String(100_000 + Math.floor(Math.random() * 900_000));
    await keyed(settled, memberEdit(staff, customer, { otpCode }));
    const amountCentavos = 1_000_00 + Math.floor(Math.random() * 500_00);
    if (amountCentavos > customer.balanceCentavos) return;
    const request = withdrawalBy(customer, { amount: pesos(amountCentavos), otp: otpCode });
    const answer = await keyed(settled, request);
    const { id, withdrawalNumber, status } = answer.body as Record<string, string>;
    customer.withdrawals.set(Number(id), {
      withdrawalNumber: String(withdrawalNumber),
      amountCentavos,
      status: String(status),
    });
    customer.balanceCentavos -= amountCentavos;
    customer.entries += 1;
  }

  async function decide(customer: Customer, settled: Settled[]): Promise<void> {
    const waiting = [...customer.withdrawals].find(([, { status }]) => status === 'approved');
    if (!waiting) return;
    const [id, withdrawal] = waiting;
    const status = Math.random() < 0.5 ? 'rejected' : 'completed';
    const path = `/api/admin/withdrawals/${id}`;
    await keyed(settled, { method: 'PUT', path, token: staff, body: { status } });
    withdrawal.status = status;
    if (status !== 'rejected') return;
    customer.balanceCentavos += withdrawal.amountCentavos;
    customer.entries += 1;
  }

  async function apply(customer: Customer, settled: Settled[]): Promise<void> {
    if (!customer.isVerified) return;
    const body = { amount: '150000.00', purpose: 'a sewing machine', termMonths: 12 };
    const answer = await keyed(settled, { path: '/api/loans', token: customer.token, body });
    customer.loans.set(Number(answer.body.id), String(answer.body.loanNumber));
  }

  /** The money of the newest loan goes into the wallet, and part of it comes back as a payment or is taken back. */
  async function service(customer: Customer, settled: Settled[]): Promise<void> {
    const { disbursed, payment } = customer;
    const staffWrites = (method: string, path: string, body: object) =>
      keyed(settled, { method, path: `/api/admin/${path}`, token: staff, body });
    const move = (amountCentavos: number) => {
      customer.balanceCentavos += amountCentavos;
      customer.entries += 1;
    };
    const newest = [...customer.loans.keys()].at(-1);
    if (payment) {
      await staffWrites('PUT', `payments/${payment.id}`, { status: 'reversed', reason: 'Typed in twice' });
      customer.payment = undefined;
      move(payment.amountCentavos);
    } else if (newest !== undefined && newest !== disbursed) {
      await staffWrites('PUT', `loans/${newest}`, { status: 'approved' });
      await staffWrites('POST', `loans/${newest}/disbursement`, { channel: 'direct', reference: 'B 1' });
      customer.disbursed = newest;
    } else if (disbursed !== undefined && customer.balanceCentavos >= 1_000_00) {
      const amountCentavos = 500_00 + Math.floor(Math.random() * 500_00);
      const body = { amount: pesos(amountCentavos), channel: 'wallet', reason: 'Asked for at the counter' };
      const answer = await staffWrites('POST', `loans/${disbursed}/payments`, body);
      const id = Number(answer.body.id);
      noteReceipt(String(answer.body.receiptNumber), id);
      customer.payment = { id, amountCentavos };
      move(-amountCentavos);
    }
  }

  /** An answer from before the last crash, asked for again: the same one, and no second effect. */
  async function askOnceMore(_: Customer, settled: Settled[]): Promise<void> {
    const earlier = settled[Math.floor(Math.random() * settled.length)];
    if (!earlier) return;
    const again = await sendUntilAnswered(origin, earlier.request);
    const same = (
      ['id', 'status', 'balance', 'loanNumber', 'withdrawalNumber', 'receiptNumber'] as const
    ).every((name) => again.body[name] === earlier.answer.body[name]);
    if (again.status !== earlier.answer.status || !same) {
      problems.push(`${earlier.request.path} was answered ${JSON.stringify(again.body)} the second time`);
    }
  }

  const operations = [
    addMoney,
    withdraw,
    decide,
    apply,
    service,
    service,
    askOnceMore,
    withdraw,
    service,
    decide,
  ];

  for (let number = 0; number < clients; number += 1) {
    client(number).catch((error) => {
      problems.push(String(error));
      gone += 1;
    });
  }
  return {
    customers,
    problems,
    acknowledged: () => acknowledged,
    askedAgain: () => askedAgain,
    async pause() {
      gate = new Promise((resolve) => {
        open = resolve;
      });
      do await sleep(5);
      while (between.size + gone < clients);
    },
    resume() {
      between.clear();
      open();
    },
  };
}

const pesos = (centavos: number) => (centavos / 100).toFixed(2);
