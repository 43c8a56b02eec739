import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { approvals } from '#server/store/schema.ts';
import { updateEachSealed } from '#server/store/sealed-rows.ts';
import { type Caller, odd, refused } from '#tests/setup/caller.ts';
import { fullProfile, type TestAdmin, type TestBorrower, testServer } from '#tests/setup/test-server.ts';
import { auditOf, expectBooksVerified } from './books.ts';
import { applicant, apply, borrowerWithLoan, withdraw } from './lending.ts';

/** Deeds that one employee would do alone, and the people who have to agree. */
const server = await testServer({ engine: 'postgres' });
const { main } = server;

type Answer = { status: number; body: { code?: string; id?: number; approval?: { id: number } } };
type Write = (id: number, body: ReturnType<typeof odd>) => { answer(): Promise<unknown> };
const write =
  (name: keyof Caller) =>
  (person: Caller, id: number, body: object = {}) =>
    (person[name] as Write)(id, odd(body)).answer() as Promise<Answer>;

const disburse = write('disburseLoan');
const decide = write('decideApproval');
const preview = write('previewLoan');
const change = write('updatePayment');
const act = write('actOnLoan');
const pay = write('recordPayment');

const told = ({ status, body }: Answer) => [status, body.code];
const own = [403, 'own_request'];
const approve = { decision: 'approved' };
const confirmed = { status: 'confirmed' } as const;
const reason = 'As agreed';
const requestOf = ({ status, body }: Answer): number => {
  expect([status, body.code]).toEqual([202, undefined]);
  return body.approval?.id ?? 0;
};

type Loan = Awaited<ReturnType<typeof borrowerWithLoan>>;
const loanOut = () => borrowerWithLoan(server, { date: '2026-01-10' });
const lateLoan = server.built(() => borrowerWithLoan(server, { date: '2025-11-10' }));
const loansOut = server.built(async (count: number) => {
  const all: Loan[] = [];
  for (let one = 0; one < count; one += 1) all.push(await loanOut());
  return all;
});

const pick = ({ phone }: { phone: string }) => ({ phone });

const again = async ({ phone, password }: Pick<TestBorrower, 'phone' | 'password'>) =>
  server.as(await server.signIn({ phone, password }));

describe('wallets that one person raised by hand', () => {
  const payFromWallet = ({ borrower, id }: Loan, amount = 20_000) =>
    borrower.payOwnLoan(id, { channel: 'wallet', amount });

  async function raised(by: Caller, count: number) {
    const friends = await loansOut(count);
    for (const { borrower } of friends) await by.updateMember(borrower.id, { balance: 50_000 });
    return friends;
  }

  it('pay up to ₱50,000 all together; what is more waits for somebody else', async () => {
    const friends = await loansOut(4);
    const clerk = await server.createAdmin();
    for (const { borrower } of friends) await clerk.updateMember(borrower.id, { balance: 50_000 });
    const [first, second, third, fourth] = friends as [Loan, Loan, Loan, Loan];
    for (const one of [first, second]) expect((await payFromWallet(one)).status).toBe('confirmed');
    expect(await third.borrower.previewOwnPayment(third.id, { amount: 20_000 })).toMatchObject({
      waitsFor: 'confirmation',
    });
    const waiting = await payFromWallet(third);
    expect(waiting.status).toBe('submitted');
    expect((await payFromWallet(fourth, 10_000)).status).toBe('confirmed');
    expect(told(await change(clerk, waiting.id, confirmed))).toEqual(own);
    const step = { step: 'payment_update', paymentId: waiting.id, ...confirmed };
    expect(told(await preview(clerk, third.id, step))).toEqual(own);
    expect(told(await change(main, waiting.id, confirmed))).toEqual([200, undefined]);

    const { id } = await withdraw(server, fourth.borrower, 1_000);
    expect(await clerk.readWithdrawalHold(id)).toMatchObject({ isOwnRequest: true });
    await refused(clerk.updateWithdrawal(id, { status: 'completed' }), 403, {
      code: 'own_request',
      message: expect.stringContaining('You raised wallets by hand'),
    });
    expect(await main.updateWithdrawal(id, { status: 'completed' })).toMatchObject({ status: 'completed' });
    await expectBooksVerified(server.deps);
  });

  it('count what was withdrawn with what was paid, of 30 days', async () => {
    const [first, second] = await loansOut(2);
    if (!first || !second) throw new Error('two are needed');
    const clerk = await server.createAdmin();
    for (const { borrower } of [first, second]) await clerk.updateMember(borrower.id, { balance: 50_000 });
    const { id } = await withdraw(server, first.borrower, 40_000);
    await clerk.updateWithdrawal(id, { status: 'completed' });
    expect((await payFromWallet(second, 10_000)).status).toBe('confirmed');
    const waiting = await payFromWallet(second, 0.01 as never);
    expect(waiting.status).toBe('submitted');
    await second.borrower.withdrawOwnPayment(second.id, waiting.id);
    server.clock.advance({ days: 30, minutes: 1 });
    const later = await again(second.borrower);
    expect((await later.payOwnLoan(second.id, { channel: 'wallet', amount: 20_000 })).status).toBe(
      'confirmed',
    );
  });

  it('of a lone owner wait too, and the owner confirms, marked so', async () => {
    const [first, second, third] = await raised(main, 3);
    if (!first || !second || !third) throw new Error('three are needed');
    for (const one of [first, second]) await payFromWallet(one);
    const waiting = await payFromWallet(third);
    expect(waiting.status).toBe('submitted');
    expect((await change(main, waiting.id, confirmed)).status).toBe(200);
    expect((await main.readLoanAccount(third.id)).events.at(-1)).toMatchObject({ isAlone: true });
  });

  it('paid from at once do not slip under the sum', async () => {
    const friends = await raised(main, 5);
    const paid = await Promise.all(friends.map((friend) => payFromWallet(friend)));
    expect(paid.map(({ status }) => status).sort()).toEqual([
      ...['confirmed', 'confirmed', 'submitted', 'submitted', 'submitted'],
    ]);
    await expectBooksVerified(server.deps);
  });
});

describe('one person on one day, over all loans,', () => {
  let references = 0;
  const sent = async ({ borrower, id }: Loan, amount = 50_000) => {
    references += 1;
    const form = { amount, paidOn: '2026-03-09', channel: 'gcash', reference: `GC ${20_000 + references}` };
    return (await borrower.payOwnLoan(id, odd(form))).id;
  };

  it('confirms and waives up to ₱200,000, and Today says who did', async () => {
    const loans = await loansOut(6);
    const clerk = await server.createAdmin({ fullName: 'Ana Reyes' });
    const [first, second, third, fourth, fifth = 0, sixth = 0] = await Promise.all(
      loans.map((loan) => sent(loan)),
    );
    for (const id of [first, second, third])
      expect((await change(clerk, id ?? 0, confirmed)).status).toBe(200);
    const atOnce = [fourth ?? 0, fifth].map((id) => change(clerk, id, confirmed));
    expect((await Promise.all(atOnce)).map(({ status }) => status).sort()).toEqual([200, 202]);
    const step = { step: 'payment_update', paymentId: sixth, ...confirmed };
    expect(await preview(clerk, loans[5]?.id ?? 0, step)).toMatchObject({ body: { waitsFor: 'approval' } });
    expect((await change(clerk, sixth, confirmed)).status).toBe(202);
    expect((await change(main, await sent(loans[0] ?? (await loanOut())), confirmed)).status).toBe(200);
    expect((await main.readToday()).aloneToday).toEqual([
      { staffId: clerk.id, name: 'Ana Reyes', confirmed: '200000.00', waived: '0.00', cash: '0.00' },
      expect.objectContaining({ confirmed: '50000.00' }),
    ]);
    server.clock.advance({ days: 1 });
    const { email: username, password } = clerk;
    const tomorrow = server.as(await server.signIn({ username, password }));
    expect((await main.readToday()).aloneToday).toEqual([]);
    const late = await sent(loans[1] ?? (await loanOut()));
    expect((await change(tomorrow, late, confirmed)).status).toBe(200);
  });

  it('takes cash of up to ₱1,000,000', async () => {
    const people = [await server.verifiedBorrower(), await server.verifiedBorrower()];
    const loans: number[] = [];
    for (let one = 0; one < 21; one += 1) {
      const { id } = await apply(server, people[one % 2] as TestBorrower);
      await main.updateLoan(id, { status: 'approved' });
      await main.disburseLoan(id, { channel: 'recorded', date: '2026-01-10' });
      loans.push(id);
    }
    const clerk = await server.createAdmin();
    const cash = { amount: 50_000, channel: 'cash' };
    for (const id of loans.slice(0, 19)) expect((await pay(clerk, id, cash)).status).toBe(201);
    const last = await Promise.all(loans.slice(19).map((id) => pay(clerk, id, cash)));
    expect(last.map(({ status }) => status).sort()).toEqual([201, 202]);
    expect((await main.readToday()).aloneToday).toMatchObject([{ staffId: clerk.id, cash: '1000000.00' }]);
  });

  it('is told and not stopped where nobody else may', async () => {
    const loans = await loansOut(5);
    for (const loan of loans) expect((await change(main, await sent(loan), confirmed)).status).toBe(200);
    const last = await main.readLoanAccount(loans[4]?.id ?? 0);
    expect(last.events.at(-1)).toMatchObject({ kind: 'receipt', isAlone: true });
    const first = await main.readLoanAccount(loans[0]?.id ?? 0);
    expect(first.events.at(-1)).toMatchObject({ isAlone: false });
    expect((await main.readToday()).aloneToday).toMatchObject([{ confirmed: '250000.00' }]);
  });
});

const approvedLoan = server.built(async () => {
  const applied = await applicant(server);
  await main.updateLoan(applied.id, { status: 'approved' });
  return applied;
});

describe('the request for a release', () => {
  it.each<[what: string, change: object]>([
    ['name', { fullName: 'Maria Clara Santoz' }],
    ['phone', { phone: '0917 999 8877' }],
    ['bank', { bankName: 'Bank B' }],
    ['account number', { bankAccountNumber: '9876543210' }],
  ])('is outdated by another %s of the borrower', async (_, edit) => {
    const { id, borrower } = await approvedLoan();
    const clerk = await server.createAdmin();
    const request = requestOf(await disburse(clerk, id, { channel: 'wallet' }));
    const before = await main.readMember(borrower.id);
    await clerk.updateMember(borrower.id, odd(edit));
    const deciding = { step: 'approval', approvalId: request };
    expect(told(await preview(main, id, deciding))).toEqual([409, 'request_outdated']);
    expect(told(await decide(main, request, approve))).toEqual([409, 'request_outdated']);
    const [closed] = await main.listApprovals({ status: 'all' });
    expect(closed?.decision).toBe('outdated');
    expect(JSON.stringify(closed?.payload)).not.toContain(before.phone);
    // Asked for anew, it is for the borrower as they are now.
    const second = requestOf(await disburse(clerk, id, { channel: 'wallet' }));
    expect((await decide(main, second, approve)).status).toBe(200);
  });

  it('is outdated too when the borrower changes the bank account, and not by another address', async () => {
    const { id, borrower } = await approvedLoan();
    const clerk = await server.createAdmin();
    const request = requestOf(await disburse(clerk, id, { channel: 'wallet' }));
    await borrower.updateProfile({ address: '99 Rizal Street, Cabanatuan City' });
    expect((await preview(main, id, { step: 'approval', approvalId: request })).status).toBe(200);
    await borrower.updateProfile({ bankAccountNumber: '5555000011112222' });
    expect(told(await decide(main, request, approve))).toEqual([409, 'request_outdated']);
  });

  it('of an earlier version, without a fingerprint, is decided as before', async () => {
    const { id, borrower } = await approvedLoan();
    const clerk = await server.createAdmin();
    const request = requestOf(await disburse(clerk, id, { channel: 'wallet' }));
    const [row] = await main.listApprovals();
    const { borrowerFingerprint, ...payload } = row?.payload ?? {};
    expect(borrowerFingerprint).toEqual(expect.any(String));
    const amountCentavos = 150_000_00;
    const { amount: _, ...older } = payload;
    await server.database.transaction((tx) =>
      updateEachSealed(tx, approvals, eq(approvals.id, request), { payload: { ...older, amountCentavos } }),
    );
    await clerk.updateMember(borrower.id, { bankName: 'Bank B' });
    expect((await decide(main, request, approve)).status).toBe(200);
    await expectBooksVerified(server.deps);
  });

  it('shows what came into the wallet since the approval', async () => {
    const { id, borrower } = await approvedLoan();
    const clerk = await server.createAdmin({ fullName: 'Ana Reyes' });
    server.clock.advance({ minutes: 1 });
    await clerk.updateMember(borrower.id, { balance: 150_000, reason: 'admin_adjustment' });
    const credits = [{ type: 'admin_adjustment', amount: '150000.00', actorName: 'Ana Reyes' }];
    const asking = await preview(clerk, id, { step: 'disbursement', channel: 'wallet' });
    expect(asking).toMatchObject({ status: 200, body: { walletCredits: credits } });
    const request = requestOf(await disburse(clerk, id, { channel: 'wallet' }));
    const deciding = await preview(main, id, { step: 'approval', approvalId: request });
    expect(deciding).toMatchObject({ status: 200, body: { walletCredits: credits } });
    expect(await main.listApprovals()).toMatchObject([{ walletCredits: credits }]);
  });
});

describe('terms that were accepted after staff changed the borrower’s', () => {
  const newPassword = 'issued by staff';

  /** Terms that the clerk edited, accepted after the clerk changed how the borrower signs in. */
  async function accepted(by: Caller, edit: object) {
    const { id, borrower } = await applicant(server);
    await by.updateLoan(id, { amount: 160_000 });
    await by.updateMember(borrower.id, odd(edit));
    const sessionOf = 'password' in edit ? await again({ ...borrower, password: newPassword }) : borrower;
    server.clock.advance({ minutes: 1 });
    await sessionOf.acceptContract(id, { version: 2 });
    await main.updateLoan(id, { status: 'approved' });
    return { id, borrower: sessionOf };
  }
  const changes = [
    ['password', { password: newPassword }],
    ['phone', { phone: '0917 999 8877' }],
  ] as const;

  it.each(changes)('%s are not released by who changed it', async (what, edit) => {
    const clerk = await server.createAdmin({ fullName: 'Ana Reyes' });
    const third = await server.createAdmin();
    const { id, borrower } = await accepted(clerk, edit);
    const marked = [{ what, actorId: clerk.id, actorName: 'Ana Reyes' }];
    expect(told(await disburse(clerk, id, { channel: 'wallet' }))).toEqual(own);
    expect(told(await preview(clerk, id, { step: 'disbursement', channel: 'wallet' }))).toEqual(own);
    const request = requestOf(await disburse(main, id, { channel: 'wallet' }));
    expect(await main.listApprovals()).toMatchObject([{ changesBeforeAgreement: marked }]);
    expect(await clerk.listApprovals()).toMatchObject([{ mayDecide: false, whyNot: 'own_request' }]);
    expect(told(await decide(clerk, request, approve))).toEqual(own);
    expect(told(await decide(clerk, request, { decision: 'rejected', reason }))).toEqual(own);
    expect(told(await preview(clerk, id, { step: 'approval', approvalId: request }))).toEqual(own);
    expect((await main.readLoanAccount(id)).loan).toMatchObject({ changesBeforeAgreement: marked });
    expect((await main.listLoans()).find((row) => row.id === id)).toMatchObject({
      isAgreedAfterChange: true,
    });
    expect(await main.readLoanContract(id)).toMatchObject({ changesBeforeAgreement: marked });
    expect(await borrower.readLoanContract(id)).not.toHaveProperty('changesBeforeAgreement');
    const [noted] = await auditOf(server.database, 'loan_terms_accepted');
    expect(noted?.after).toMatchObject({ accessChangedBy: [clerk.id] });
    expect((await decide(third, request, approve)).status).toBe(200);
    await expectBooksVerified(server.deps);
  });

  it('password are released by who changed it where nobody else may decide, marked so', async () => {
    const clerk = await server.createAdmin();
    const { id } = await accepted(clerk, { password: newPassword });
    expect(told(await disburse(clerk, id, { channel: 'wallet' }))).toEqual(own);
    const request = requestOf(await disburse(main, id, { channel: 'wallet' }));
    expect(told(await decide(main, request, approve))).toEqual(own);
    expect((await decide(clerk, request, approve)).status).toBe(200);
    expect((await main.readLoanAccount(id)).events.at(-1)).toMatchObject({ isAlone: true });
  });

  it('password by the owner, whose clerk asks, are decided by the owner: never by the clerk alone', async () => {
    const clerk = await server.createAdmin();
    const { id } = await accepted(main, { password: newPassword });
    expect(told(await disburse(main, id, { channel: 'wallet' }))).toEqual(own);
    const request = requestOf(await disburse(clerk, id, { channel: 'wallet' }));
    expect(told(await decide(clerk, request, approve))).toEqual(own);
    expect((await decide(main, request, approve)).status).toBe(200);
  });

  it('password are released by a lone owner, marked so', async () => {
    const { id } = await accepted(main, { password: newPassword });
    const { status } = await disburse(main, id, { channel: 'wallet' });
    expect(status).toBe(201);
    expect((await main.readLoanAccount(id)).events.at(-1)).toMatchObject({ isAlone: true });
  });

  it('password more than 30 days before are released by anybody', async () => {
    const { id, borrower } = await applicant(server);
    await main.updateLoan(id, { amount: 160_000 });
    await main.updateMember(borrower.id, { password: newPassword });
    server.clock.advance({ days: 30, minutes: 1 });
    await (await again({ ...borrower, password: newPassword })).acceptContract(id, { version: 2 });
    await main.updateLoan(id, { status: 'approved' });
    const clerk = await server.createAdmin();
    requestOf(await disburse(main, id, { channel: 'wallet' }));
    expect((await clerk.listApprovals())[0]).toMatchObject({ mayDecide: true, changesBeforeAgreement: [] });
  });

  it('password are those of an application too', async () => {
    const clerk = await server.createAdmin();
    const known = await server.verifiedBorrower();
    server.clock.advance({ minutes: 5 });
    await clerk.updateMember(known.id, { password: newPassword });
    const { id } = await apply(server, {
      ...known,
      token: await server.signIn({ ...pick(known), password: newPassword }),
    });
    await main.updateLoan(id, { status: 'approved' });
    expect(told(await disburse(clerk, id, { channel: 'wallet' }))).toEqual(own);
  });

  it('password are not what a borrower applies with who was registered at the counter', async () => {
    const clerk = await server.createAdmin();
    const phone = '0917 222 3344';
    const { user } = await clerk.createMember(odd({ ...fullProfile, phone, password: newPassword }));
    server.clock.advance({ minutes: 5 });
    const token = await server.signIn({ phone, password: newPassword });
    const borrower = { ...server.as(token), id: user.id, phone, password: newPassword, token };
    const [front, back, selfie] = [
      await server.upload(token),
      await server.upload(token),
      await server.upload(token),
    ];
    await borrower.updateProfile({ idFrontUrl: front.url, idBackUrl: back.url, selfieUrl: selfie.url });
    const { id } = await apply(server, borrower);
    await main.updateLoan(id, { status: 'approved' });
    const asked = await preview(clerk, id, { step: 'disbursement', channel: 'wallet' });
    expect(asked).toMatchObject({ status: 200, body: { changesBeforeAgreement: [] } });
  });
});

describe('a borrower’s account is an employee’s own', () => {
  type Same = { staff: object; borrower: object };
  const kinds: [what: string, same: Same][] = [
    [
      'e-mail address',
      { staff: { email: 'ana.reyes@example.com' }, borrower: { email: 'Ana.Reyes@Example.com' } },
    ],
    [
      'e-mail address, with a plus sign',
      { staff: { email: 'ana@example.com' }, borrower: { email: 'ana+loan@example.com' } },
    ],
    [
      'e-mail address, with dots',
      { staff: { email: 'ana.reyes@gmail.com' }, borrower: { email: 'anareyes@googlemail.com' } },
    ],
    [
      'bank account',
      {
        staff: { bankName: 'Bank of Cebu', bankAccountNumber: '001234 567890 55' },
        borrower: { bankName: 'BoC', bankAccountNumber: '1234-5678-9055' },
      },
    ],
    [
      'phone as a wallet’s account',
      { staff: { phone: '0917 555 0001' }, borrower: { bankAccountNumber: '+63 917 555 0001' } },
    ],
    [
      'phone with an extension',
      { staff: { phone: '0917 555 0002' }, borrower: { phone: '0917 555 0002 ext. 5' } },
    ],
  ];

  async function sameAs(clerk: TestAdmin, member: number, { staff, borrower }: Same) {
    await main.updateMember(clerk.id, odd(staff));
    await main.updateMember(member, odd(borrower));
  }

  it.each(kinds)('by the same %s: they neither decide nor record', async (_, same) => {
    const [one] = await loansOut(1);
    if (!one) throw new Error('one is needed');
    const clerk = await server.createAdmin();
    await sameAs(clerk, one.borrower.id, same);
    expect(told(await pay(clerk, one.id, { amount: 100, channel: 'cash' }))).toEqual(own);
    expect((await pay(main, one.id, { amount: 100, channel: 'cash' })).status).toBe(201);
  });

  it('and another e-mail address or account at the same bank is not', async () => {
    const [one] = await loansOut(1);
    if (!one) throw new Error('one is needed');
    const clerk = await server.createAdmin({ email: 'ana@example.com' });
    await sameAs(clerk, one.borrower.id, {
      staff: { bankName: 'Bank A', bankAccountNumber: '1234567890124' },
      borrower: { email: 'ana@example.org' },
    });
    expect((await pay(clerk, one.id, { amount: 100, channel: 'cash' })).status).toBe(201);
  });

  /** All that is decided about a borrower, or recorded. */
  async function everything({ borrower, id }: Loan, person: Caller, other: Caller) {
    const transfer = (reference: string) => ({ amount: 1_000, channel: 'gcash', reference });
    const own = await borrower.payOwnLoan(id, odd({ ...transfer('GC 90001'), paidOn: '2026-03-09' }));
    const typed = await other.recordPayment(id, odd(transfer('GC 90002'))).success();
    const applied = await apply(server, borrower);
    const approved = await apply(server, borrower);
    await main.updateLoan(approved.id, { status: 'approved' });
    await server.fund(borrower.id, 5_000);
    const withdrawal = await withdraw(server, borrower);
    const complaint = await borrower.complain({ category: 'service', message: 'Nobody answers the phone' });
    const calls: [what: string, () => Promise<Answer>][] = [
      ['confirming what they sent', () => change(person, own.id, confirmed)],
      ['rejecting', () => change(person, (typed.body as { id: number }).id, { status: 'rejected', reason })],
      ['cash', () => pay(person, id, { amount: 100, channel: 'cash' })],
      ['another payment', () => pay(person, id, transfer('GC 90003'))],
      ['a waiver', () => act(person, id, { kind: 'waiver', amount: 1, reason })],
      ['a deferral', () => act(person, id, { kind: 'deferral', months: 3, reason })],
      ['the approval', () => write('updateLoan')(person, applied.id, { status: 'approved' })],
      ['the terms', () => write('updateLoan')(person, approved.id, { termMonths: 24 })],
      ['the balance', () => write('updateMember')(person, borrower.id, { balance: 9_000 })],
      ['the code', () => write('updateMember')(person, borrower.id, { otpCode: '112233' })],
      ['the password', () => write('updateMember')(person, borrower.id, { password: 'another one' })],
      ['the score', () => write('updateMember')(person, borrower.id, { creditScore: 700 })],
      ['the name', () => write('updateMember')(person, borrower.id, { fullName: 'Maria Santos' })],
      ['the status', () => write('updateMember')(person, borrower.id, { status: 'active' })],
      ['the withdrawal', () => write('updateWithdrawal')(person, withdrawal.id, { status: 'rejected' })],
      ['a contact', () => write('recordContact')(person, id, { channel: 'call', outcome: 'incoming' })],
      ['a complaint', () => write('updateComplaint')(person, complaint.id, { status: 'resolved' })],
    ];
    return { calls, borrower, id, approved };
  }

  it('and then everything is left to somebody else', async () => {
    const late = await lateLoan();
    const third = await server.createAdmin();
    const clerk = await server.createAdmin({ email: 'ana@example.com' });
    const { calls, borrower, approved, id } = await everything(late, clerk, third);
    await main.updateMember(borrower.id, { email: 'ana@example.com' });
    const answers: Record<string, unknown> = {};
    for (const [what, call] of calls) answers[what] = told(await call());
    expect(answers).toEqual(Object.fromEntries(calls.map(([what]) => [what, own])));
    const release = { channel: 'wallet' };
    expect(told(await disburse(clerk, approved.id, release))).toEqual(own);
    const request = requestOf(await disburse(third, approved.id, release));
    expect(await clerk.listApprovals()).toMatchObject([{ mayDecide: false, whyNot: 'own_request' }]);
    expect(told(await decide(clerk, request, approve))).toEqual(own);
    expect(told(await preview(clerk, approved.id, { step: 'approval', approvalId: request }))).toEqual(own);
    const waiver = { step: 'action', kind: 'waiver', amount: 1 };
    expect(told(await preview(clerk, id, waiver))).toEqual(own);
    expect((await decide(main, request, approve)).status).toBe(200);
    await expectBooksVerified(server.deps);
  });

  it('of a lone owner: everything is done, marked “one person”', async () => {
    const { calls, borrower, approved } = await everything(await lateLoan(), main, main);
    const [owner] = await main.listAllUsers({ role: 'admin' });
    await main.updateMember(borrower.id, { email: 'ana@example.com' });
    await main.updateAdmin(owner?.id ?? 0, { email: 'ANA@example.com' });
    for (const [what, call] of calls)
      expect([what, (await call()).status]).toEqual([what, expect.toBeOneOf([200, 201])]);
    expect((await disburse(main, approved.id, { channel: 'recorded', date: '2026-03-09' })).status).toBe(409);
    for (const action of [
      'balance_changed',
      'loan_status_changed',
      'contact_recorded',
      'complaint_updated',
    ] as const) {
      expect([action, (await auditOf(server.database, action)).at(-1)?.after]).toEqual([
        action,
        expect.objectContaining({ onePerson: true }),
      ]);
    }
    await expectBooksVerified(server.deps);
  });

  it('of a lone owner: a withdrawal that they reject was not released by one person', async () => {
    const { borrower } = await loanOut();
    await main.updateMember(borrower.id, { email: 'ana@example.com', balance: 5_000 });
    const [owner] = await main.listAllUsers({ role: 'admin' });
    await main.updateAdmin(owner?.id ?? 0, { email: 'ana@example.com' });
    const { id } = await withdraw(server, borrower);
    expect(await main.updateWithdrawal(id, { status: 'rejected' })).not.toHaveProperty('isReleasedAlone');
  });

  it.each<[string, (one: Loan, clerk: TestAdmin) => Promise<unknown>]>([
    ['as the borrower', ({ borrower }) => borrower.updateProfile({ email: 'other@example.com' })],
    ['by a colleague', ({ borrower }) => main.updateMember(borrower.id, { email: 'other@example.com' })],
  ])('stays theirs for 30 days after its address was changed %s', async (_, takeOut) => {
    const late = await lateLoan();
    const third = await server.createAdmin();
    const clerk = await server.createAdmin({ email: 'ana@example.com' });
    const { calls, borrower, approved } = await everything(late, clerk, third);
    await main.updateMember(borrower.id, { email: 'ana@example.com' });
    await takeOut(late, clerk);
    const answers: Record<string, unknown> = {};
    for (const [what, call] of calls) answers[what] = told(await call());
    expect(answers).toEqual(Object.fromEntries(calls.map(([what]) => [what, own])));
    const request = requestOf(await disburse(third, approved.id, { channel: 'wallet' }));
    expect(await clerk.listApprovals()).toMatchObject([{ mayDecide: false, whyNot: 'own_request' }]);
    expect(told(await decide(clerk, request, approve))).toEqual(own);
    const marks = [
      ...(await auditOf(server.database, 'profile_updated')),
      ...(await auditOf(server.database, 'member_updated')),
    ].flatMap(({ after }) => after?.wasOwnOf ?? []);
    expect(marks).toEqual([clerk.id]);
    server.clock.advance({ days: 31 });
    const later = server.as(await server.signIn({ username: 'ana@example.com', password: clerk.password }));
    expect((await pay(later, late.id, { amount: 100, channel: 'cash' })).status).toBe(201);
    await expectBooksVerified(server.deps);
  });

  it('stays theirs also where they work alone: they go on, marked “one person”', async () => {
    const [one] = await loansOut(1);
    if (!one) throw new Error('one is needed');
    const [owner] = await main.listAllUsers({ role: 'admin' });
    await main.updateAdmin(owner?.id ?? 0, { email: 'owner@example.com' });
    await main.updateMember(one.borrower.id, { email: 'owner@example.com' });
    await main.updateMember(one.borrower.id, { email: 'other@example.com' });
    expect((await pay(main, one.id, { amount: 100, channel: 'cash' })).status).toBe(201);
    expect((await main.readLoanAccount(one.id)).events.at(-1)).toMatchObject({ isAlone: true });
  });

  it('of one of two: the owner asks, and nobody is stuck', async () => {
    const clerk = await server.createAdmin({ email: 'ana@example.com' });
    const { id, borrower } = await approvedLoan();
    await main.updateMember(borrower.id, { email: 'ana@example.com' });
    expect(told(await disburse(clerk, id, { channel: 'wallet' }))).toEqual(own);
    const request = requestOf(await disburse(main, id, { channel: 'wallet' }));
    // An address that a borrower claims does not let the other act alone.
    expect(told(await decide(main, request, approve))).toEqual(own);
    expect((await decide(clerk, request, approve)).status).toBe(200);
    expect((await main.readLoanAccount(id)).events.at(-1)).toMatchObject({ isAlone: true });
  });

  it('of one who would confirm what the other typed: one of them may', async () => {
    const [out] = await loansOut(1);
    if (!out) throw new Error('one is needed');
    const clerk = await server.createAdmin({ email: 'ana@example.com' });
    await main.updateMember(out.borrower.id, { email: 'ana@example.com' });
    const typed = await main
      .recordPayment(out.id, odd({ amount: 1_000, channel: 'gcash', reference: 'GC 90009' }))
      .success();
    const { id } = typed.body as { id: number };
    expect(told(await change(main, id, confirmed))).toEqual(own);
    expect((await change(clerk, id, confirmed)).status).toBe(200);
    expect((await main.readLoanAccount(out.id)).events.at(-1)).toMatchObject({ isAlone: true });
  });
});
