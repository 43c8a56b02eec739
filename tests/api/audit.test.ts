import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import * as api from '#contract/api.ts';
import type { Sent } from '#contract/endpoint.ts';
import type { Payment } from '#contract/servicing.ts';
import { limits } from '#domain/limits.ts';
import { audit } from '#server/services/audit-service.ts';
import { odd, refused } from '#tests/setup/caller.ts';
import { formWithFile, photo } from '#tests/setup/photo.ts';
import { rowsOf } from '#tests/setup/test-database.ts';
import { mainAdminPassword, passingServer, testServer } from '#tests/setup/test-server.ts';
import { auditOf } from './books.ts';
import { borrowerWithLoan } from './lending.ts';

const server = await testServer();

const log = (query: Record<string, string | undefined> = {}) => server.main.listAudit(query);

const actions = async () => (await log()).map(({ action }) => action);

describe('the audit log', () => {
  it('records sign-ins, good and bad, with their address', async () => {
    const { id, phone, password } = await server.registerBorrower();
    const attempt = (body: { phone: string; password: string }) =>
      server.visitor.signIn(body, { address: '198.51.100.9' });
    await refused(attempt({ phone, password: 'wrong word' }), 401);
    await refused(attempt({ phone: '09170000000', password: 'wrong word' }), 401);
    await attempt({ phone, password });
    const { body } = await log().answer();
    const told = body.filter(({ ipAddress }) => ipAddress === '198.51.100.9');
    expect(
      told.map(({ action, actorId, targetId, after }) => ({ action, actorId, targetId, after })),
    ).toEqual([
      { action: 'sign_in', actorId: id, targetId: id, after: null },
      { action: 'sign_in_failed', actorId: null, targetId: null, after: { reason: 'invalid_credentials' } },
      { action: 'sign_in_failed', actorId: null, targetId: id, after: { reason: 'invalid_credentials' } },
    ]);
  });

  it('holds no phone, password, token or code', async () => {
    const { phone, password, token, id } = await server.registerBorrower();
    await refused(server.visitor.signIn({ phone: '09170000000', password: 'wrong word' }), 401);
    await server.setCode(id, '482913');
    await server.main.updateMember(id, { password: 'issued word' });
    const { body } = await log().answer();
    // Names of people are looked up when it is read, and so go when the account goes.
    const text = JSON.stringify(body.map(({ actorName: _, targetName: __, ...entry }) => entry));
    for (const secret of [phone, password, token, '09170000000', 'wrong word', '482913', 'issued word']) {
      expect(text).not.toContain(secret);
    }
  });

  it('names who did it, and is read newest first', async () => {
    const admin = await server.createAdmin({ fullName: 'Jose Cruz' });
    const { id } = await server.registerBorrower();
    await admin.updateMember(id, { creditScore: 700 });
    const { body } = await log().answer();
    expect(body[0]).toEqual({
      id: expect.any(Number),
      action: 'credit_score_changed',
      actorId: admin.id,
      actorName: 'Jose Cruz',
      ipAddress: '127.0.0.1',
      targetType: 'account',
      targetId: id,
      targetName: 'Maria Clara Santos',
      before: { creditScore: 500 },
      after: { creditScore: 700 },
      createdAt: '2026-03-10T04:00:00.000Z',
    });
    const ids = body.map((entry) => entry.id);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
  });

  it('names the people whom entries are about, and whose loan it was', async () => {
    const { borrower, id } = await borrowerWithLoan(server, { date: '2026-03-10' });
    await server.main.updateMember(borrower.id, { fullName: 'Amihan Cruz' });
    const told = await log({ targetType: 'loan', targetId: String(id) });
    expect(new Set(told.map(({ targetName }) => targetName))).toEqual(new Set(['Amihan Cruz']));
    const [changed] = await log({ targetType: 'account', targetId: String(borrower.id) });
    expect(changed).toMatchObject({ action: 'member_updated', targetName: 'Amihan Cruz' });
  });

  it('is of the days asked for, from midnight to midnight in Manila', async () => {
    const { id } = await server.registerBorrower();
    const moments = ['2026-03-11T15:59:59.999Z', '2026-03-11T16:00:00.000Z', '2026-03-12T16:00:00.000Z'];
    for (const [index, moment] of moments.entries()) {
      server.clock.set(moment);
      await server.main.updateMember(id, { creditScore: 600 + index });
    }
    const scores = async (days: { from?: string; to?: string }) =>
      (await log({ action: 'credit_score_changed', ...days })).map(({ after }) => after?.creditScore);
    expect(await scores({ from: '2026-03-12', to: '2026-03-12' })).toEqual([601]);
    expect(await scores({ from: '2026-03-12' })).toEqual([602, 601]);
    expect(await scores({ to: '2026-03-11' })).toEqual([600]);
    expect(await scores({ from: '2026-03-13', to: '2026-03-12' })).toEqual([]);
  });

  it('keeps null, and no JSON, of what an entry does not have', async () => {
    await server.registerBorrower();
    const rows = await rowsOf(
      server.database,
      sql`select before is null as before, after is null as after from audit_entries where action = 'register'`,
    );
    expect(rows).toEqual([{ before: true, after: true }]);
  });

  it('records nothing that was not done', async () => {
    const before = await actions();
    await refused(server.main.createAdmin({ email: 'staff', password: 'x' }), 400);
    await refused(server.main.removeAllowedIp(99), 404);
    await refused(server.main.deleteUser(3), 403);
    expect(await actions()).toEqual(before);
  });

  it('comes in pages of at most five hundred', async () => {
    const actor = { id: limits.mainAdminId, address: null };
    await server.database.transaction(async (tx) => {
      for (let count = 0; count < limits.auditPageMaxRows + 20; count += 1) {
        await audit({ deps: server.deps, tx, actor }, 'notification_sent', {}, { after: { count } });
      }
    });
    expect(await log()).toHaveLength(limits.auditPageDefaultRows);
    expect(await log({ limit: '7' })).toHaveLength(7);
    const first = await log({ limit: '100000' });
    expect(first).toHaveLength(limits.auditPageMaxRows);
    const last = first.at(-1)?.id ?? 0;
    const second = await log({ limit: '500', before: String(last) });
    expect(second[0]?.id).toBe(last - 1);
    expect(second.at(-1)?.action).toBe('main_admin_created');
  });

  it.each([
    { limit: '0' },
    { limit: '-1' },
    { limit: 'all' },
    { before: '0' },
    { before: '1e3' },
    { before: '9'.repeat(30) },
  ])('refuses the page %j', async (query) => {
    await refused(log(query), 400);
  });

  it('filters by action, actor and target', async () => {
    const admin = await server.createAdmin();
    const [one, two] = [await server.registerBorrower(), await server.registerBorrower()];
    for (const { id } of [one, two]) {
      for (const body of [{ creditScore: 700 }, { balance: 500 }]) {
        await admin.updateMember(id, body);
      }
    }
    const told = async (query: Record<string, string>) =>
      (await log(query)).map(({ action, actorId, targetId }) => [action, actorId, targetId]);
    const [id, adminId] = [String(one.id), String(admin.id)];
    expect(await told({ targetType: 'account', targetId: id })).toEqual([
      ['balance_changed', admin.id, one.id],
      ['credit_score_changed', admin.id, one.id],
      ['register', one.id, one.id],
    ]);
    expect(await told({ action: 'balance_changed' })).toEqual([
      ['balance_changed', admin.id, two.id],
      ['balance_changed', admin.id, one.id],
    ]);
    expect(await told({ actorId: adminId, action: 'credit_score_changed', targetId: id })).toEqual([
      ['credit_score_changed', admin.id, one.id],
    ]);
    expect(await told({ targetType: 'loan', targetId: id })).toEqual([]);
    expect(await told({ action: 'no_such_action' })).toEqual([]);
    const [newest, next] = await log({ actorId: adminId });
    expect(newest?.targetId).toBe(two.id);
    const older = await log({ actorId: adminId, before: String(newest?.id), limit: '1' });
    expect(older).toEqual([next]);
  });

  it.each([
    { action: '' },
    { action: "x' or 1" },
    { actorId: '0' },
    { targetId: 'x' },
    { targetType: 'Account' },
    { targetType: 'a'.repeat(41) },
    { from: '12/03/2026' },
    { to: '2026-02-30' },
  ])('refuses to be narrowed to %j', async (query) => {
    await refused(log(query), 400);
  });

  it('cannot be changed or emptied, not even by the database’s own hand', async () => {
    await log();
    for (const statement of [
      "update audit_entries set action = 'x'",
      'delete from audit_entries',
      'truncate audit_entries',
    ]) {
      const change = server.database.transaction((tx) => tx.execute(sql.raw(statement)));
      await expect(change, statement).rejects.toThrow();
    }
  });

  it('cannot be filled by one borrower: whatever can be repeated has a daily share', async () => {
    // A fiftieth of each share, so that nobody waits for hundreds.
    const rateLimitScale = 1 / 50;
    const { database, deps } = server;
    const strict = await passingServer({
      config: { rateLimitScale },
      deps: { database, secrets: deps.secrets },
    });
    const borrower = await server.registerBorrower();
    const { token } = borrower;
    const { payload, headers } = formWithFile(await photo());
    let times = 0;
    let currentPassword = borrower.password;
    const doings = {
      document_uploaded: () => strict.as(token).uploadDocument({ rawBody: payload, headers }).answer(),
      profile_updated: () =>
        strict
          .as(token)
          .updateProfile({ referenceName: `Juan ${times}` })
          .answer(),
      data_downloaded: () => strict.as(token).downloadOwnData({ password: currentPassword }).answer(),
      own_password_changed: async () => {
        const newPassword = `another word ${times}`;
        const answer = await strict.as(token).changePassword({ currentPassword, newPassword }).answer();
        if (answer.status === 200) currentPassword = newPassword;
        return answer;
      },
    };
    const shares = {
      document_uploaded: limits.uploadsPerDay,
      profile_updated: limits.profileChangesPerDay,
      own_password_changed: limits.passwordChangesPerDay,
      // Last: one that is refused leaves a try of the password, of which this server allows one.
      data_downloaded: limits.dataDownloadsPerDay,
    };
    for (const [action, share] of Object.entries(shares) as [keyof typeof shares, number][]) {
      const most = Math.ceil(share * rateLimitScale);
      for (times = 0; times < most; times += 1) expect((await doings[action]()).status).toBeLessThan(300);
      const refused = await doings[action]();
      expect([action, refused.status, refused.body.code]).toEqual([action, 429, 'too_many_requests']);
      expect(Number(refused.headers['retry-after']), action).toBeGreaterThan(23 * 3600);
      expect(await log({ action }), action).toHaveLength(most);
    }
    // An account that has had its share of photos is refused before the next one is read.
    const announced = { ...headers, 'content-length': String(payload.length) };
    await refused(
      strict.as(token).uploadDocument({ rawBody: payload.subarray(0, 10), headers: announced }),
      429,
      'too_many_requests',
    );
    // Staff add documents for many.
    const staff = await server.signInMainAdmin();
    for (times = 0; times < 8; times += 1)
      await strict.as(staff).uploadDocument({ rawBody: payload, headers });
  });

  it('is the main admin’s to read', async () => {
    const admin = await server.createAdmin();
    const body = await refused(admin.listAudit(), 403);
    expect(body).toEqual({ code: 'main_admin_only', message: 'Only the main admin may do this' });
    await server.signIn({ username: 'admin', password: mainAdminPassword });
  });
});

describe('what staff look at', () => {
  const looks = async (action: string) =>
    (await auditOf(server.database, action)).map(({ actorId, targetType, targetId, after }) => [
      actorId,
      targetType,
      targetId,
      ...(after ? [after] : []),
    ]);

  it('writes one entry per look at a member’s photos, and none for their owner', async () => {
    const borrower = await server.verifiedBorrower();
    const user = await borrower.readProfile();
    const urls = [user.idFrontUrl, user.idBackUrl, user.selfieUrl];
    const open = (token: string) =>
      Promise.all(urls.map((url) => server.as(token).readFile(url?.split('/').at(-1) ?? '')));
    await open(borrower.token);
    expect(await looks('documents_opened')).toEqual([]);
    const admin = await server.createAdmin();
    await open(admin.token);
    await open(admin.token);
    expect(await looks('documents_opened')).toEqual([[admin.id, 'account', borrower.id]]);
    await open(await server.signInMainAdmin());
    server.clock.advance({ minutes: 10 });
    await open(admin.token);
    expect(await looks('documents_opened')).toHaveLength(3);
  });

  it('names the member who has the photos that staff uploaded, and nobody before that', async () => {
    const { id } = await server.registerBorrower();
    const token = await server.signInMainAdmin();
    const { url, id: fileId } = await server.upload(token);
    const open = () => server.main.readFile(fileId);
    await open();
    expect(await looks('documents_opened')).toEqual([]);
    await server.main.updateMember(id, { selfieUrl: url });
    await open();
    expect(await looks('documents_opened')).toEqual([[3, 'account', id]]);
  });

  it('writes an entry wherever a one-time code is shown, but not for whoever sets it', async () => {
    const borrower = await server.verifiedBorrower();
    const { id } = borrower;
    await server.setCode(id);
    expect(await looks('code_revealed')).toEqual([]);
    const admin = await server.createAdmin();
    const without = { prefer: 'secrets=none' };
    await admin.readMember(id, { headers: without });
    expect(await looks('code_revealed')).toEqual([]);
    await admin.readMember(id);
    await admin.listMembers();
    await admin.listMembers(undefined, { headers: { accept: 'application/x-ndjson' } });
    expect(await looks('code_revealed')).toEqual([[admin.id, 'account', id]]);
    server.clock.advance({ minutes: 10 });
    await borrower.applyForLoan({ amount: 150_000, purpose: 'Sari-sari store', termMonths: 12 });
    await admin.listLoans();
    await admin.listLoans();
    expect(await looks('code_revealed')).toHaveLength(2);
  });

  it('writes one entry for a contract on screen and as a file', async () => {
    const borrower = await server.verifiedBorrower();
    const loan = await borrower.applyForLoan({ amount: 150_000, purpose: 'Sari-sari store', termMonths: 12 });
    const params = { id: loan.id };
    const staff = await server.signInMainAdmin();
    for (const row of [api.readLoanContract, api.readLoanContractPdf]) {
      await server.succeed(row, { token: borrower.token, params });
      await server.succeed(row, { token: staff, params });
    }
    expect(await looks('contract_opened')).toEqual([[3, 'loan', loan.id]]);
  });

  it('writes one entry per look at an account, a statement, a receipt, a certificate and a proof', async () => {
    const { borrower, id } = await borrowerWithLoan(server, { date: '2026-03-10' });
    const token = await server.signInMainAdmin();
    const params = { id };
    const { url } = await server.upload(token);
    const pay = (body: Sent<typeof api.recordPayment, 'body'>) => server.main.recordPayment(id, body);
    const { body: proved } = await pay({
      amount: 100,
      channel: 'gcash',
      reference: 'G 0001',
      proofUrl: url,
    }).answer();
    const { body: paid } = await pay({ amount: 195_000, channel: 'cash', reason: 'All of it' }).answer();
    const { receiptNumber } = paid as Payment;
    const number = receiptNumber ?? '';
    const proof = { id: url.split('/').at(-1) ?? '' };
    const lookAtAll = async (as: string) => {
      for (const row of [
        ...[api.readLoanAccount, api.readStatementPdf, api.readStatementTable, api.readClearancePdf],
      ])
        await server.succeed(row, { token: as, params });
      await server.as(as).readReceiptPdf(id, number);
    };
    const ofLoan = async (action: string) =>
      (await auditOf(server.database, action)).map(({ actorId, targetType, targetId, after }) => [
        ...[actorId, targetType, targetId, after],
      ]);
    await lookAtAll(borrower.token);
    const actions = ['loan_account_opened', 'statement_opened', 'clearance_opened', 'receipt_opened'];
    for (const action of actions) expect(await ofLoan(action), action).toEqual([]);

    const admin = await server.createAdmin();
    for (let twice = 0; twice < 2; twice += 1) {
      await lookAtAll(admin.token);
      await server.succeed(api.readFile, { token: admin.token, params: proof });
    }
    const entry = [admin.id, 'loan', id];
    for (const action of actions.slice(0, 3))
      expect(await ofLoan(action), action).toEqual([[...entry, null]]);
    expect(await ofLoan('receipt_opened')).toEqual([[...entry, { receipt: number }]]);
    expect(await ofLoan('proof_opened')).toEqual([[...entry, { paymentId: (proved as Payment).id }]]);
    expect(await ofLoan('documents_opened')).toEqual([]);

    // Nobody has seen a receipt that does not exist.
    await refused(admin.readReceiptPdf(id, 'AR-2026-999999'), 404);
    expect(await ofLoan('receipt_opened')).toHaveLength(1);
  });

  it('writes one entry for an account, what settles it and previews of it, opened together or alone', async () => {
    const { borrower, id } = await borrowerWithLoan(server, { date: '2026-03-10' });
    const looked = async () =>
      (await auditOf(server.database, 'loan_account_opened')).map(({ actorId, targetId }) => [
        actorId,
        targetId,
      ]);
    await borrower.readSettlement(id);
    expect(await looked()).toEqual([]);
    const [one, other, third] = [
      await server.createAdmin(),
      await server.createAdmin(),
      await server.createAdmin(),
    ];
    await one.readSettlement(id);
    await one.readLoanAccount(id);
    const body = { step: 'payment', amount: 5, channel: 'cash' } as const;
    await one.previewLoan(id, body);
    await other.readSettlement(id);
    await third.previewLoan(id, body);
    expect(await looked()).toEqual([
      [one.id, id],
      [other.id, id],
      [third.id, id],
    ]);
  });

  it('writes an entry for each list saved as a file', async () => {
    const { token, id } = await server.createAdmin();
    const note = (anyBody: unknown, as = token) => server.as(as).noteExport(odd(anyBody));
    expect((await note({ list: 'members', rows: 12 }).answer()).status).toBe(201);
    expect((await note({ list: 'members', rows: 12 }).answer()).status).toBe(201);
    const entry = [id, null, null, { list: 'members', rows: 12 }];
    expect(await looks('list_exported')).toEqual([entry, entry]);
    for (const wrong of [
      {},
      { list: 'secrets', rows: 1 },
      { list: 'loans', rows: -1 },
      { list: 'loans' },
      [],
    ]) {
      await refused(note(wrong), 400);
    }
    const borrower = await server.registerBorrower();
    await refused(note({ list: 'members', rows: 1 }, borrower.token), 403);
  });

  it('writes an entry for each file that the server makes of a list or report, without who was searched for', async () => {
    const { token, id } = await server.createAdmin();
    const staff = server.as(token);
    const asFile = { headers: { accept: 'text/csv' } };
    const day = '2026-03-10';
    await staff.listCollections({ asOf: day, bucket: '1-30' }, asFile).success();
    await staff.readPortfolio({ asOf: day }, asFile).success();
    await staff.readDay({ date: day }, asFile).success();
    await staff.readJournal({ from: day, to: day }, asFile).success();
    await staff.listWithdrawals({ completedOn: day, search: '09170000001' }, asFile).success();
    const noted = [
      { list: 'collections', asOf: day, bucket: '1-30' },
      { list: 'portfolio', asOf: day },
      { list: 'day', date: day },
      { list: 'journal', from: day, to: day },
      { list: 'withdrawals', completedOn: day },
    ];
    expect(await looks('list_exported')).toEqual(noted.map((after) => [id, null, null, after]));
    // A file that is refused leaves none, and neither does a look at the screen.
    await refused(staff.readPortfolio({ asOf: '2099-01-01' }, asFile), 400);
    await refused(staff.listCollections({ asOf: '2099-01-01' }, asFile), 400);
    await staff.readPortfolio({});
    expect(await looks('list_exported')).toHaveLength(noted.length);
  });

  it('keeps only the hash of a reason or message', async () => {
    const borrower = await server.verifiedBorrower();
    const loan = await borrower.applyForLoan({ amount: 150_000, purpose: 'Sari-sari store', termMonths: 12 });
    const update = { status: 'denied', reason: 'Your brother told us about you' };
    await server.main.updateLoan(loan.id, update);
    const [entry] = await auditOf(server.database, 'loan_status_changed');
    expect(entry?.after).toEqual({
      status: 'denied',
      changed: ['reason'],
      reasonHash: expect.any(String),
    });
    const rows = await rowsOf<{ line: string }>(
      server.database,
      sql`select row_to_json(e)::text as line from audit_entries e`,
    );
    expect(rows.map(({ line }) => line).join()).not.toContain('brother');
  });
});
