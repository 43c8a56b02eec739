import { randomBytes } from 'node:crypto';
import * as api from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { clearAllowedIps } from '#server/services/allowed-ip-service.ts';
import { resetMainAdmin, serverConsole } from '#server/services/first-start-service.ts';
import { mainAdminPassword, type TestServer } from '#tests/setup/test-server.ts';

export const roles = [
  'visitor',
  'somebody with a made-up token',
  'borrower',
  'other borrower',
  'suspended borrower',
  'admin',
  'main admin',
] as const;
export type Role = (typeof roles)[number];

/** A person's belongings, by the word in a path that their ids stand behind. */
export type Belongings = {
  users: string[];
  loans: string[];
  withdrawals: string[];
  files: string[];
  'allowed-ips': string[];
};

export type Person = {
  token: string | undefined;
  id: number;
  phone: string;
  owns: Belongings;
  /** The words that are planted in what is theirs. */
  marks: string[];
};

/** Looks like nothing else, so that wherever it turns up it came from here. */
const newMark = () => `Mk${randomBytes(5).toString('hex')}x`;
export const marksIn = (text: string): string[] => text.match(/Mk[0-9a-f]{10}x/g) ?? [];

const nothing = (): Belongings => ({ users: [], loans: [], withdrawals: [], files: [], 'allowed-ips': [] });

const nobody = (): Person => ({ token: undefined, id: 0, phone: '', owns: nothing(), marks: [] });

/** The address that staff come from; the list of allowed ones holds it from the start. */
export const staffAddress = '127.0.0.1';

/**
 * People of every role, each with marked words in all that is theirs: name, address, reference, loan, message, one-time
 * password. `renew` gives a role somebody new when the requests have suspended, deleted or signed out the old one.
 */
export function plantPeople(server: TestServer) {
  const secretsOfStaff: string[] = [];
  let planter = '';

  /** A main admin's session to plant with, whatever the requests have done to the account meanwhile. */
  async function plantersToken(): Promise<string> {
    if ((await server.as(planter).readProfile().answer()).status === 200) return planter;
    await resetMainAdmin(server.deps);
    await clearAllowedIps(server.deps, serverConsole);
    planter = await signInStaff('admin', mainAdminPassword);
    return planter;
  }

  async function signInStaff(username: string, password: string): Promise<string> {
    return (await server.visitor.signIn({ username, password }, { address: staffAddress })).token;
  }

  async function plantBorrower(): Promise<Person> {
    const mark = newMark();
    const borrower = await server.verifiedBorrower({
      fullName: `Maria ${mark}`,
      address: `12 Mabini Street ${mark}`,
      referenceName: `Juan ${mark}`,
    });
    const { id, token, phone } = borrower;
    await server.as(await plantersToken()).updateMember(id, { balance: 90_000 });
    await server.as(await plantersToken()).updateMember(id, { otpCode: '482913' });
    const owns = { ...nothing(), users: [String(id)] };
    for (const purpose of [`a boat ${mark}`, `a shop ${mark}`]) {
      const body = await server.as(token).applyForLoan({ amount: 150_000, purpose, termMonths: 12 });
      owns.loans.push(String(body.id));
    }
    const withdrawal = await server.as(token).requestWithdrawal({
      amount: 1_000,
      bankName: `Bank ${mark}`,
      bankAccountNumber: '9'.repeat(12),
      otp: '482913',
    });
    owns.withdrawals.push(String(withdrawal.id));
    owns.files.push((await server.upload(token)).id);
    await server.as(await plantersToken()).updateMember(id, { otpCode: '482913' });
    await server
      .as(await plantersToken())
      .notifyMember({ userId: id, title: 'A word', message: `for ${mark} alone` });
    return { token, id, phone, owns, marks: [mark] };
  }

  async function plantAdmin(): Promise<Person> {
    const secret = newMark();
    secretsOfStaff.push(secret);
    const form = { email: `${secret}@example.com`.toLowerCase(), password: `password ${secret}` };
    const { id } = (await server.as(await plantersToken()).createAdmin(form)).user;
    const token = await signInStaff(form.email, form.password);
    return { ...nobody(), token, id, owns: { ...nothing(), users: [String(id)] } };
  }

  async function plantMainAdmin(): Promise<Person> {
    await plantersToken();
    const token = await signInStaff('admin', mainAdminPassword);
    const secret = newMark();
    secretsOfStaff.push(secret);
    const body = await server.as(token).listAllowedIps();
    const known = body.find(({ ipAddress }) => ipAddress === '198.51.100.0/24');
    const listed =
      known ??
      (await server
        .as(token)
        .addAllowedIp(
          { ipAddress: '198.51.100.0/24', description: `office ${secret}` },
          { address: staffAddress },
        ));
    return {
      ...nobody(),
      token,
      id: 3,
      owns: { ...nothing(), users: ['3'], 'allowed-ips': [String(listed.id)] },
    };
  }

  async function plant(role: Role): Promise<Person> {
    if (role === 'admin') return plantAdmin();
    if (role === 'main admin') return plantMainAdmin();
    if (role === 'visitor') return nobody();
    if (role === 'somebody with a made-up token')
      return { ...nobody(), token: randomBytes(32).toString('base64url') };
    const borrower = await plantBorrower();
    if (role !== 'suspended borrower') return borrower;
    await server.as(await plantersToken()).updateMember(borrower.id, { status: 'suspended' });
    // Whoever is locked out may not even see their own.
    return { ...borrower, marks: [] };
  }

  return { plant, secretsOfStaff };
}

/** The status that a role's token gets as long as nothing has happened to its account. */
const standing: Record<Role, number> = {
  visitor: 401,
  'somebody with a made-up token': 401,
  borrower: 200,
  'other borrower': 200,
  'suspended borrower': 403,
  admin: 200,
  'main admin': 200,
};

/** True if a person still is what the role says. */
export async function isStill(server: TestServer, role: Role, { token }: Person): Promise<boolean> {
  // Staff have to be let in as well: the requests change the list of allowed addresses too.
  const row = role === 'admin' || role === 'main admin' ? api.readStats : api.readProfile;
  const { status } = await server.call<Endpoint>(row, { token, address: staffAddress });
  return status === standing[role];
}

/** Which kind of id a row's path asks for. */
export const kindOfId = ({ path }: Endpoint): keyof Belongings | undefined =>
  (['allowed-ips', 'withdrawals', 'loans', 'users', 'files'] as const).find((kind) =>
    path.includes(`/${kind}/{`),
  );
