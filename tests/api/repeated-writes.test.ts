import { expect, it } from 'vitest';
import * as api from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { type CallResult, refused } from '#tests/setup/caller.ts';
import { testServer } from '#tests/setup/test-server.ts';
import { totp } from '#tests/setup/totp.ts';
import { applicant } from './lending.ts';

const server = await testServer();
const keyed = { headers: { 'idempotency-key': 'one-click' } };

type Write = (extras: typeof keyed) => { answer(): Promise<Pick<CallResult<Endpoint>, 'status' | 'body'>> };

/**
 * The requests that a proxy sends once more when a connection breaks: every PUT and DELETE that a form makes.
 */
const writes: Record<string, () => Promise<Write>> = {
  async updateProfile() {
    const borrower = await server.registerBorrower();
    return (extras) => borrower.updateProfile({ fullName: 'Ana Reyes' }, extras);
  },
  async changePassword() {
    const { password: currentPassword, ...borrower } = await server.registerBorrower();
    return (extras) => borrower.changePassword({ currentPassword, newPassword: 'another word' }, extras);
  },
  async withdrawDeletion() {
    const { password, ...borrower } = await server.registerBorrower();
    await borrower.requestDeletion({ password });
    return (extras) => borrower.withdrawDeletion(extras);
  },
  async deleteUser() {
    const { id } = await server.registerBorrower();
    return (extras) => server.main.deleteUser(id, extras);
  },
  async resetSecondStep() {
    const admin = await server.createAdmin();
    const { secret } = await admin.setUpSecondStep({ password: admin.password });
    await admin.confirmSecondStep({ code: totp(secret, server.clock.now()) });
    return (extras) => server.main.resetSecondStep(admin.id, extras);
  },
  async deleteLoan() {
    const { loan } = await applicant(server);
    return (extras) => server.main.deleteLoan(loan.id, extras);
  },
  async removeAllowedIp() {
    await server.main.addAllowedIp({ ipAddress: '127.0.0.1' });
    const { id } = await server.main.addAllowedIp({ ipAddress: '203.0.113.7' });
    return (extras) => server.main.removeAllowedIp(id, extras);
  },
};

it.each(Object.keys(writes))(
  '%s is done once when a proxy sends it twice, and both are answered alike',
  async (name) => {
    const write = await writes[name]?.();
    const first = await write?.(keyed).answer();
    const entries = async () => (await server.main.listAudit()).length;
    const before = await entries();
    const again = await write?.(keyed).answer();
    expect([first?.status, first?.body]).toEqual([200, expect.anything()]);
    expect([again?.status, again?.body]).toEqual([200, first?.body]);
    expect(await entries()).toBe(before);
  },
);

it('a refusal is answered again as well', async () => {
  const { loan } = await applicant(server);
  await server.main.deleteLoan(loan.id);
  for (let times = 0; times < 2; times += 1) await refused(server.main.deleteLoan(loan.id, keyed), 404);
});

it('every PUT and DELETE takes a key, but for one whose reply is a token, which ends the session that asks', () => {
  const rows = Object.entries<Endpoint>(api).filter(
    ([, { method }]) => method === 'PUT' || method === 'DELETE',
  );
  expect(rows.flatMap(([name, { idempotent }]) => (idempotent ? [] : [name]))).toEqual(['removeSecondStep']);
});
