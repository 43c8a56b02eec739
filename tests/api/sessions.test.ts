import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createPasswords } from '#server/platform/passwords.ts';
import { newToken } from '#server/platform/randomness.ts';
import { tokenHash } from '#server/services/session-service.ts';
import { findSession, insertSession } from '#server/store/access-store.ts';
import { refused } from '#tests/setup/caller.ts';
import { mainAdminPassword, type TestBorrower, testServer } from '#tests/setup/test-server.ts';

/** Runs between the look at a password and what follows from it. */
let afterVerify: (() => Promise<void>) | undefined;
const real = createPasswords();
const server = await testServer({
  deps: {
    passwords: {
      ...real,
      async verify(hash, plain) {
        const isRight = await real.verify(hash, plain);
        const meanwhile = afterVerify;
        afterVerify = undefined;
        await meanwhile?.();
        return isRight;
      },
    },
  },
});

const statusOf = async (token: string) => (await server.as(token).readProfile().answer()).status;

const signInAgain = ({ phone, password }: TestBorrower) => server.signIn({ phone, password });

async function changeMember(id: number, body: { status?: 'active' | 'suspended'; password?: string }) {
  await server.main.updateMember(id, body);
}

describe('a token', () => {
  it('is stored only as a hash', async () => {
    const { token } = await server.registerBorrower();
    const hash = tokenHash(server.deps, token);
    const stored = await server.database.read((reader) => findSession(reader, hash));
    expect(JSON.stringify(stored)).not.toContain(token);
    expect(stored?.session.tokenHash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('cannot be forged by writing to the database without the key', async () => {
    const { id } = await server.registerBorrower();
    const createdAt = server.clock.now();
    const expiresAt = new Date(createdAt.getTime() + 60_000);
    const token = newToken();
    const sha256 = createHash('sha256').update(token).digest('hex');
    const session = (hash: string) => ({ tokenHash: hash, accountId: id, createdAt, expiresAt });
    await server.database.transaction((tx) => insertSession(tx, session(sha256)));
    expect(await statusOf(token)).toBe(401);
    await server.database.transaction((tx) => insertSession(tx, session(tokenHash(server.deps, token))));
    expect(await statusOf(token)).toBe(200);
  });

  it.each([
    '',
    'Bearer',
    'Bearer ',
    'Bearer short',
    'Basic YWRtaW46YWRtaW4=',
    `Bearer ${'x'.repeat(43)}`,
    'null',
  ])('is a 401 when sent but not valid, even where none is needed: %j', async (authorization) => {
    const quote = { amount: 150_000, termMonths: 12 };
    const headers = { authorization };
    for (const answer of [
      await server.visitor.quoteLoan(quote, { headers }).answer(),
      await server.visitor.readProfile({ headers }).answer(),
      await server.visitor.listMembers(undefined, { headers }).answer(),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([401, 'not_signed_in']);
    }
  });

  it('of a borrower lasts thirty days', async () => {
    const { token } = await server.registerBorrower();
    server.clock.advance({ days: 30, ms: -1 });
    expect(await statusOf(token)).toBe(200);
    server.clock.advance({ ms: 1 });
    expect(await statusOf(token)).toBe(401);
  });
});

describe('a session ends', () => {
  it('by signing out, and no other with it', async () => {
    const borrower = await server.registerBorrower();
    const second = await signInAgain(borrower);
    const { status, body } = await server.as(second).signOut().answer();
    expect([status, body.message]).toEqual([200, 'You have been logged out successfully']);
    expect(await statusOf(second)).toBe(401);
    expect(await statusOf(borrower.token)).toBe(200);
    await refused(server.as(second).signOut(), 401);
  });

  it('by changing one’s own password, all but the session that made the change', async () => {
    const borrower = await server.registerBorrower();
    const second = await signInAgain(borrower);
    await server
      .as(second)
      .changePassword({ currentPassword: borrower.password, newPassword: 'another word' });
    expect(await statusOf(borrower.token)).toBe(401);
    expect(await statusOf(second)).toBe(200);
    const { phone } = borrower;
    await refused(server.visitor.signIn({ phone, password: borrower.password }), 401);
    await server.visitor.signIn({ phone, password: 'another word' });
  });

  it('by a password that staff set', async () => {
    const borrower = await server.registerBorrower();
    await changeMember(borrower.id, { password: 'issued word' });
    expect(await statusOf(borrower.token)).toBe(401);
    await server.signIn({ phone: borrower.phone, password: 'issued word' });
  });

  it('by a suspension, and is not revived when that ends', async () => {
    const borrower = await server.registerBorrower();
    await changeMember(borrower.id, { status: 'suspended' });
    const body = await refused(borrower.readProfile(), 403);
    expect(body).toEqual({
      code: 'account_suspended',
      accountStatus: 'suspended',
      message: 'Your account has been suspended. Please contact support.',
    });
    await refused(borrower.signOut(), 403);

    await changeMember(borrower.id, { status: 'active' });
    expect(await statusOf(borrower.token)).toBe(401);
    expect(await statusOf(await signInAgain(borrower))).toBe(200);
  });

  it('by the deletion of the account, whose number is free again', async () => {
    const borrower = await server.registerBorrower();
    await server.main.deleteUser(borrower.id);
    expect(await statusOf(borrower.token)).toBe(401);
    const { phone, password } = borrower;
    await refused(server.visitor.signIn({ phone, password }), 401);
    const again = await server.registerBorrower({ phone });
    expect(again.id).not.toBe(borrower.id);
  });
});

describe('a session does not begin', () => {
  it('with a password that is changed while it is being checked', async () => {
    const { id, phone, password } = await server.registerBorrower();
    await server.signInMainAdmin();
    afterVerify = () => changeMember(id, { password: 'issued word' });
    const { status, body } = await server.visitor.signIn({ phone, password }).answer();
    expect([status, body.code]).toEqual([401, 'invalid_credentials']);
  });

  it('for an account that is suspended in the same moment', async () => {
    const { id, phone, password } = await server.registerBorrower();
    await server.signInMainAdmin();
    afterVerify = () => changeMember(id, { status: 'suspended' });
    expect((await server.visitor.signIn({ phone, password }).answer()).body.code).toBe('account_suspended');
  });
});

describe('one’s own password', () => {
  it('is not changed with a wrong current one', async () => {
    const borrower = await server.registerBorrower();
    const { status, body } = await borrower
      .changePassword({ currentPassword: 'wrong word', newPassword: 'another word' })
      .answer();
    expect({ status, ...body }).toEqual({
      status: 400,
      code: 'wrong_password',
      message: 'Your current password is not right',
    });
    await server.signIn({ phone: borrower.phone, password: borrower.password });
  });

  it('has at least six characters', async () => {
    const borrower = await server.registerBorrower();
    const { status, body } = await borrower
      .changePassword({ currentPassword: borrower.password, newPassword: '12345' })
      .answer();
    expect([status, body.errors]).toEqual([400, { newPassword: 'Password must be at least 6 characters' }]);
  });

  it('erases the one that was issued, also from what staff see', async () => {
    const phone = '09175550000';
    const body = await server.main.createMember({ phone, fullName: 'Ana Reyes' });
    const issued = body.user.plainPassword ?? '';
    const token = await server.signIn({ phone, password: issued });
    await server.as(token).changePassword({ currentPassword: issued, newPassword: 'my own word' });
    const seen = await server.main.readMember(body.user.id);
    expect(seen).toMatchObject({ plainPassword: null, hasIssuedPassword: false });
  });

  it('counts as wrong when staff set another one meanwhile', async () => {
    const borrower = await server.registerBorrower();
    await server.signInMainAdmin();
    afterVerify = () => changeMember(borrower.id, { password: 'issued word' });
    await refused(
      borrower.changePassword({ currentPassword: borrower.password, newPassword: 'another word' }),
      400,
    );
    await server.signIn({ phone: borrower.phone, password: 'issued word' });
  });

  it('is demanded of an admin whose password was issued, until they set it', async () => {
    const admin = await server.createAdmin();
    const before = await admin.readProfile();
    expect(before.mustChangePassword).toBe(true);
    await admin.changePassword({ currentPassword: admin.password, newPassword: 'my own word' });
    const after = await admin.readProfile();
    expect(after.mustChangePassword).toBe(false);
    const main = await server.signIn({ username: 'admin', password: mainAdminPassword });
    expect((await server.as(main).readProfile()).mustChangePassword).toBe(false);
  });
});
