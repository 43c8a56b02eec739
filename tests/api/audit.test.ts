import { sql } from 'drizzle-orm';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as api from '#contract/api.ts';
import type { Sent } from '#contract/endpoint.ts';
import type { Payment } from '#contract/servicing.ts';
import { limits } from '#domain/limits.ts';
import { audit } from '#server/services/audit-service.ts';
import { formWithFile, photo } from '#tests/setup/photo.ts';
import { mainAdminPassword, startTestServer, testServer } from '#tests/setup/test-server.ts';
import { auditOf } from './books.ts';
import { disbursedLoan } from './lending.ts';

const server = await testServer();

async function log(query: Record<string, string | undefined> = {}) {
  return server.call(api.listAudit, { token: await server.signInMainAdmin(), query });
}

const actions = async () => (await log()).body.map(({ action }) => action);

describe('the audit log', () => {
  it('records sign-ins, good and bad, with their address', async () => {
    const { id, phone, password } = await server.registerBorrower();
    const attempt = (body: { phone: string; password: string }) =>
      server.call(api.signIn, { body, address: '198.51.100.9' });
    await attempt({ phone, password: 'wrong word' });
    await attempt({ phone: '09170000000', password: 'wrong word' });
    await attempt({ phone, password });
    const { body } = await log();
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
    await server.call(api.signIn, { body: { phone: '09170000000', password: 'wrong word' } });
    await server.setCode(id, '482913');
    const staff = await server.signInMainAdmin();
    await server.succeed(api.updateMember, {
      token: staff,
      params: { id },
      body: { password: 'issued word' },
    });
    const { body } = await log();
    // Names of people are looked up when it is read, and so go when the account goes.
    const text = JSON.stringify(body.map(({ actorName: _, ...entry }) => entry));
    for (const secret of [phone, password, token, '09170000000', 'wrong word', '482913', 'issued word']) {
      expect(text).not.toContain(secret);
    }
  });

  it('names who did it, and is read newest first', async () => {
    const admin = await server.createAdmin({ fullName: 'Jose Cruz' });
    const { id } = await server.registerBorrower();
    await server.succeed(api.updateMember, {
      token: admin.token,
      params: { id },
      body: { creditScore: 700 },
    });
    const { body } = await log();
    expect(body[0]).toEqual({
      id: expect.any(Number),
      action: 'credit_score_changed',
      actorId: admin.id,
      actorName: 'Jose Cruz',
      ipAddress: '127.0.0.1',
      targetType: 'account',
      targetId: id,
      before: { creditScore: 500 },
      after: { creditScore: 700 },
      createdAt: '2026-03-10T04:00:00.000Z',
    });
    const ids = body.map((entry) => entry.id);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
  });

  it('keeps null, and no JSON, of what an entry does not have', async () => {
    await server.registerBorrower();
    const { rows } = await server.database.read((reader) =>
      reader.execute(
        sql`select before is null as before, after is null as after from audit_entries where action = 'register'`,
      ),
    );
    expect(rows).toEqual([{ before: true, after: true }]);
  });

  it('records nothing that was not done', async () => {
    const before = await actions();
    const token = await server.signInMainAdmin();
    await server.call(api.createAdmin, { token, body: { email: 'staff', password: 'x' } });
    await server.call(api.removeAllowedIp, { token, params: { id: 99 } });
    await server.call(api.deleteUser, { token, params: { id: 3 } });
    expect(await actions()).toEqual(before);
  });

  it('comes in pages of at most five hundred', async () => {
    const actor = { id: limits.mainAdminId, address: null };
    await server.database.transaction(async (tx) => {
      for (let count = 0; count < limits.auditPageMaxRows + 20; count += 1) {
        await audit(server.deps, tx, actor, { action: 'notification_sent', after: { count } });
      }
    });
    expect((await log()).body).toHaveLength(limits.auditPageDefaultRows);
    expect((await log({ limit: '7' })).body).toHaveLength(7);
    const first = await log({ limit: '100000' });
    expect(first.body).toHaveLength(limits.auditPageMaxRows);
    const last = first.body.at(-1)?.id ?? 0;
    const second = await log({ limit: '500', before: String(last) });
    expect(second.body[0]?.id).toBe(last - 1);
    expect(second.body.at(-1)?.action).toBe('main_admin_created');
  });

  it.each([
    { limit: '0' },
    { limit: '-1' },
    { limit: 'all' },
    { before: '0' },
    { before: '1e3' },
    { before: '9'.repeat(30) },
  ])('refuses the page %j', async (query) => {
    expect((await log(query)).status).toBe(400);
  });

  it('filters by action, actor and target', async () => {
    const admin = await server.createAdmin();
    const [one, two] = [await server.registerBorrower(), await server.registerBorrower()];
    for (const { id } of [one, two]) {
      for (const body of [{ creditScore: 700 }, { balance: 500 }]) {
        await server.succeed(api.updateMember, { token: admin.token, params: { id }, body });
      }
    }
    const told = async (query: Record<string, string>) =>
      (await log(query)).body.map(({ action, actorId, targetId }) => [action, actorId, targetId]);
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
    const [newest, next] = (await log({ actorId: adminId })).body;
    expect(newest?.targetId).toBe(two.id);
    const older = await log({ actorId: adminId, before: String(newest?.id), limit: '1' });
    expect(older.body).toEqual([next]);
  });

  it.each([
    { action: '' },
    { action: "x' or 1" },
    { actorId: '0' },
    { targetId: 'x' },
    { targetType: 'Account' },
    { targetType: 'a'.repeat(41) },
  ])('refuses to be narrowed to %j', async (query) => {
    expect((await log(query)).status).toBe(400);
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
    const strict = await startTestServer({
      config: { rateLimitScale },
      deps: { database, secrets: deps.secrets },
    });
    onTestFinished(() => strict.close());
    const borrower = await server.registerBorrower();
    const { token } = borrower;
    const { payload, headers } = formWithFile(await photo());
    let times = 0;
    let currentPassword = borrower.password;
    const doings = {
      document_uploaded: () => strict.call(api.uploadDocument, { token, rawBody: payload, headers }),
      profile_updated: () =>
        strict.call(api.updateProfile, { token, body: { referenceName: `Juan ${times}` } }),
      data_downloaded: () => strict.call(api.downloadOwnData, { token }),
      own_password_changed: async () => {
        const newPassword = `another word ${times}`;
        const answer = await strict.call(api.changePassword, {
          token,
          body: { currentPassword, newPassword },
        });
        if (answer.status === 200) currentPassword = newPassword;
        return answer;
      },
    };
    const shares = {
      document_uploaded: limits.uploadsPerDay,
      profile_updated: limits.profileChangesPerDay,
      data_downloaded: limits.dataDownloadsPerDay,
      own_password_changed: limits.passwordChangesPerDay,
    };
    for (const [action, share] of Object.entries(shares) as [keyof typeof shares, number][]) {
      const most = Math.ceil(share * rateLimitScale);
      for (times = 0; times < most; times += 1) expect((await doings[action]()).status).toBeLessThan(300);
      const refused = await doings[action]();
      expect([action, refused.status, refused.body.code]).toEqual([action, 429, 'too_many_requests']);
      expect(Number(refused.headers['retry-after']), action).toBeGreaterThan(23 * 3600);
      expect((await log({ action })).body, action).toHaveLength(most);
    }
    // Who has had their share of photos is refused before the next one is read.
    const announced = { ...headers, 'content-length': String(payload.length) };
    const unread = { token, rawBody: payload.subarray(0, 10), headers: announced };
    expect(await strict.call(api.uploadDocument, unread)).toMatchObject({
      status: 429,
      body: { code: 'too_many_requests' },
    });
    // Staff add documents for many.
    const staff = await server.signInMainAdmin();
    for (times = 0; times < 8; times += 1)
      await strict.succeed(api.uploadDocument, { token: staff, rawBody: payload, headers });
  });

  it('is the main admin’s to read', async () => {
    const { token } = await server.createAdmin();
    const { status, body } = await server.call(api.listAudit, { token });
    expect(status).toBe(403);
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
    const { body: user } = await server.succeed(api.readProfile, { token: borrower.token });
    const urls = [user.idFrontUrl, user.idBackUrl, user.selfieUrl];
    const open = (token: string) =>
      Promise.all(
        urls.map((url) =>
          server.succeed(api.readFile, { token, params: { id: url?.split('/').at(-1) ?? '' } }),
        ),
      );
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
    const open = () => server.succeed(api.readFile, { token, params: { id: fileId } });
    await open();
    expect(await looks('documents_opened')).toEqual([]);
    await server.succeed(api.updateMember, { token, params: { id }, body: { selfieUrl: url } });
    await open();
    expect(await looks('documents_opened')).toEqual([[3, 'account', id]]);
  });

  it('writes an entry wherever a one-time code is shown, but not for whoever sets it', async () => {
    const borrower = await server.verifiedBorrower();
    const { id } = borrower;
    await server.setCode(id);
    expect(await looks('code_revealed')).toEqual([]);
    const { token, id: adminId } = await server.createAdmin();
    const without = { prefer: 'secrets=none' };
    await server.succeed(api.readMember, { token, params: { id }, headers: without });
    expect(await looks('code_revealed')).toEqual([]);
    await server.succeed(api.readMember, { token, params: { id } });
    await server.succeed(api.listMembers, { token });
    await server.succeed(api.listMembers, { token, headers: { accept: 'application/x-ndjson' } });
    expect(await looks('code_revealed')).toEqual([[adminId, 'account', id]]);
    server.clock.advance({ minutes: 10 });
    const body = { amount: 150_000, purpose: 'Sari-sari store', termMonths: 12 };
    await server.succeed(api.applyForLoan, { token: borrower.token, body });
    await server.succeed(api.listLoans, { token });
    await server.succeed(api.listLoans, { token });
    expect(await looks('code_revealed')).toHaveLength(2);
  });

  it('writes one entry for a contract on screen and as a file', async () => {
    const borrower = await server.verifiedBorrower();
    const body = { amount: 150_000, purpose: 'Sari-sari store', termMonths: 12 };
    const { body: loan } = await server.succeed(api.applyForLoan, { token: borrower.token, body });
    const params = { id: loan.id };
    const staff = await server.signInMainAdmin();
    for (const row of [api.readLoanContract, api.readLoanContractPdf]) {
      await server.succeed(row, { token: borrower.token, params });
      await server.succeed(row, { token: staff, params });
    }
    expect(await looks('contract_opened')).toEqual([[3, 'loan', loan.id]]);
  });

  it('writes one entry per look at an account, a statement, a receipt, a certificate and a proof', async () => {
    const borrower = await server.verifiedBorrower();
    const { id } = await disbursedLoan(server, borrower, { date: '2026-03-10' });
    const token = await server.signInMainAdmin();
    const params = { id };
    const { url } = await server.upload(token);
    const pay = (body: Sent<typeof api.recordPayment, 'body'>) =>
      server.succeed(api.recordPayment, { token, params, body });
    const { body: proved } = await pay({ amount: 100, channel: 'gcash', reference: 'G 0001', proofUrl: url });
    const { body: paid } = await pay({ amount: 195_000, channel: 'cash', reason: 'All of it' });
    const { receiptNumber } = paid as Payment;
    const number = receiptNumber ?? '';
    const proof = { id: url.split('/').at(-1) ?? '' };
    const lookAtAll = async (as: string) => {
      for (const row of [
        ...[api.readLoanAccount, api.readStatementPdf, api.readStatementTable, api.readClearancePdf],
      ])
        await server.succeed(row, { token: as, params });
      await server.succeed(api.readReceiptPdf, { token: as, params: { id, number } });
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

    // What there is not was not seen.
    await server.call(api.readReceiptPdf, { token: admin.token, params: { id, number: 'AR-2026-999999' } });
    expect(await ofLoan('receipt_opened')).toHaveLength(1);
  });

  it('writes one entry for an account, what settles it and previews of it, opened together or alone', async () => {
    const borrower = await server.verifiedBorrower();
    const { id } = await disbursedLoan(server, borrower, { date: '2026-03-10' });
    const params = { id };
    const looked = async () =>
      (await auditOf(server.database, 'loan_account_opened')).map(({ actorId, targetId }) => [
        actorId,
        targetId,
      ]);
    await server.succeed(api.readSettlement, { token: borrower.token, params });
    expect(await looked()).toEqual([]);
    const [one, other, third] = [
      await server.createAdmin(),
      await server.createAdmin(),
      await server.createAdmin(),
    ];
    await server.succeed(api.readSettlement, { token: one.token, params });
    await server.succeed(api.readLoanAccount, { token: one.token, params });
    const body = { step: 'payment', amount: 5, channel: 'cash' } as const;
    await server.succeed(api.previewLoan, { token: one.token, params, body });
    await server.succeed(api.readSettlement, { token: other.token, params });
    await server.succeed(api.previewLoan, { token: third.token, params, body });
    expect(await looked()).toEqual([
      [one.id, id],
      [other.id, id],
      [third.id, id],
    ]);
  });

  it('writes an entry for each list saved as a file', async () => {
    const { token, id } = await server.createAdmin();
    const note = (anyBody: unknown, as = token) => server.call(api.noteExport, { token: as, anyBody });
    expect((await note({ list: 'members', rows: 12 })).status).toBe(201);
    expect((await note({ list: 'members', rows: 12 })).status).toBe(201);
    const entry = [id, null, null, { list: 'members', rows: 12 }];
    expect(await looks('list_exported')).toEqual([entry, entry]);
    for (const wrong of [
      {},
      { list: 'secrets', rows: 1 },
      { list: 'loans', rows: -1 },
      { list: 'loans' },
      [],
    ]) {
      expect((await note(wrong)).status).toBe(400);
    }
    const borrower = await server.registerBorrower();
    expect((await note({ list: 'members', rows: 1 }, borrower.token)).status).toBe(403);
  });

  it('keeps only the hash of a reason or message', async () => {
    const borrower = await server.verifiedBorrower();
    const body = { amount: 150_000, purpose: 'Sari-sari store', termMonths: 12 };
    const { body: loan } = await server.succeed(api.applyForLoan, { token: borrower.token, body });
    const token = await server.signInMainAdmin();
    const update = { status: 'denied', reason: 'Your brother told us about you' };
    await server.succeed(api.updateLoan, { token, params: { id: loan.id }, body: update });
    const [entry] = await auditOf(server.database, 'loan_status_changed');
    expect(entry?.after).toEqual({
      status: 'denied',
      changed: ['reason'],
      reasonHash: expect.any(String),
    });
    const { rows } = await server.database.read((reader) =>
      reader.execute<{ line: string }>(sql`select row_to_json(e)::text as line from audit_entries e`),
    );
    expect(rows.map(({ line }) => line).join()).not.toContain('brother');
  });
});
