import { createHash } from 'node:crypto';
import { eq, type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import * as api from '#contract/api.ts';
import { sampleLender } from '#server/sample-lender.ts';
import { loanTerms } from '#server/store/schema.ts';
import { odd, refused } from '#tests/setup/caller.ts';
import { readPdf } from '#tests/setup/pdf-text.ts';
import {
  fullProfile,
  passingServer,
  startTestServer,
  type TestServer,
  testServer,
} from '#tests/setup/test-server.ts';
import { auditOf } from './books.ts';
import { applicant, apply, approvedApplication, takeOverLoan, termsOf } from './lending.ts';
import { tamper, verify } from './tampering.ts';

const server = await testServer();

const contractOf = (token: string, id: number) => server.as(token).readLoanContract(id);

const edit = (id: number, body: { amount?: number; termMonths?: number; status?: string }) =>
  server.main.updateLoan(id, body);

/** The canonical form that the contract promises, written here a second time on purpose. */
function hashOf(value: unknown): string {
  const canonical = (part: unknown): string => {
    if (Array.isArray(part)) return `[${part.map(canonical).join(',')}]`;
    if (typeof part !== 'object' || part === null) return JSON.stringify(part);
    const fields = Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${fields.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(',')}}`;
  };
  return createHash('sha256').update(canonical(value)).digest('hex');
}

/** Every contract of today promises this about late charges and early settlement. */
const servicing = {
  lateChargeRate: 2,
  graceDays: 10,
  lateChargeCapPercent: 24,
  coolingOffDays: 3,
  settlementMethod: 'present_value',
};

describe('the contract', () => {
  it('names both parties, the figures agreed to and the terms', async () => {
    const { borrower, loan } = await applicant(server);
    const { hash, ...quote } = await server.visitor.quoteLoan({ amount: 150_000, termMonths: 12 });
    expect(hash).toBe(hashOf(quote));
    const contract = await contractOf(borrower.token, loan.id);
    expect(contract).toEqual({
      loanNumber: loan.loanNumber,
      documentNumber: `${loan.loanNumber}-v1`,
      version: 1,
      issuedAt: '2026-03-10T04:00:00.000Z',
      replacedAt: null,
      agreedAt: '2026-03-10T04:00:00.000Z',
      language: 'en',
      governs:
        'Where the two differ, this English text governs; the Filipino text is a translation for information.',
      startDate: '2026-03-10',
      hash,
      isSample: true,
      lender: {
        name: sampleLender.name,
        tradeName: 'Hiram',
        registrationNumber: sampleLender.registrationNumber,
        certificateOfAuthorityNumber: 'CA-SAMPLE-0000',
        registrationDate: '2014-11-14',
        status: 'Registered',
        address: sampleLender.address,
        supportPhone: sampleLender.supportPhone,
        supportEmail: sampleLender.supportEmail,
      },
      borrower: {
        fullName: fullProfile.fullName,
        phone: borrower.phone,
        email: fullProfile.email,
        address: fullProfile.address,
      },
      purpose: 'Stock for a small store',
      status: 'pending',
      quote,
      terms: [
        'Instalments: 12 equal monthly payments of ₱16,250.00.',
        'First payment: two months after disbursement. The due dates count from the day of application, 10 Mar 2026, until disbursement resets them.',
        'Late charge rate: 2% per month on an overdue instalment.',
        'Late charge: 2% a month, by days, on the unpaid part of an overdue instalment; none if it is paid in full within 10 days; at most 24% of that instalment.',
        'Free prepayment: the loan may be paid early, in part or in full, at any time and without a charge.',
        'Early settlement on any day without a fee: what is due, plus the present value of the later instalments at this contract’s effective monthly rate.',
        'Payments go to due instalments, oldest first, then late charges, then the next instalments.',
        'No processing fees: nothing is taken off the amount, and the lender bears the documentary stamp tax.',
      ],
      settlements: [
        { afterInstalment: 1, date: '2026-05-10', amount: '144951.69' },
        { afterInstalment: 3, date: '2026-07-10', amount: '122680.54' },
        { afterInstalment: 6, date: '2026-10-10', amount: '86116.93' },
      ],
      agreement: {
        hash: hashOf({
          quoteHash: contract.hash,
          lenderHash: contract.agreement?.lenderHash,
          servicing,
          borrowerHash: contract.agreement?.borrowerHash,
        }),
        servicing,
        lenderHash: hashOf({ ...contract.lender, isSample: true }),
        borrowerHash: hashOf({ ...contract.borrower, salt: contract.agreement?.salt }),
        salt: expect.stringMatching(/^[\w-]{22}$/),
      },
      versions: [
        {
          version: 1,
          documentNumber: `${loan.loanNumber}-v1`,
          issuedAt: '2026-03-10T04:00:00.000Z',
          replacedAt: null,
          agreedAt: '2026-03-10T04:00:00.000Z',
          hash,
          amount: '150000.00',
          termMonths: 12,
          monthlyPayment: '16250.00',
        },
      ],
    });
  });

  it('gets a new version when staff change the terms, counted from the loan’s original start', async () => {
    const { borrower, loan } = await applicant(server);
    const first = await contractOf(borrower.token, loan.id);
    server.clock.advance({ days: 3 });
    await edit(loan.id, { amount: 200_000, termMonths: 24 });

    const second = await contractOf(borrower.token, loan.id);
    expect(second).toMatchObject({
      documentNumber: 'LN-2026-000001-v2',
      version: 2,
      issuedAt: '2026-03-13T04:00:00.000Z',
      startDate: '2026-03-10',
      quote: { amount: '200000.00', termMonths: 24, firstDueDate: '2026-05-10', interestRate: 2.5 },
    });
    expect(second.hash).not.toBe(first.hash);
    expect(second.hash).toBe(hashOf(second.quote));
    const versions = await termsOf(server, loan.id);
    expect(versions).toMatchObject([
      { version: 1, hash: first.hash, quote: first.quote, issuedBy: borrower.id },
      { version: 2, hash: second.hash, quote: second.quote, issuedBy: 3 },
    ]);
    const schedule = await borrower.readLoanSchedule(loan.id);
    expect(schedule).toEqual(second.quote.schedule);
  });

  it('lists every version, and shows an earlier one as it was', async () => {
    const { borrower, loan } = await applicant(server);
    const first = await contractOf(borrower.token, loan.id);
    server.clock.advance({ days: 3 });
    await edit(loan.id, { amount: 200_000 });
    server.clock.advance({ hours: 1 });
    await edit(loan.id, { termMonths: 24 });

    const newest = await contractOf(borrower.token, loan.id);
    expect(newest).toMatchObject({ version: 3, replacedAt: null });
    expect(newest.versions).toMatchObject([
      {
        version: 3,
        amount: '200000.00',
        termMonths: 24,
        issuedAt: '2026-03-13T05:00:00.000Z',
        replacedAt: null,
      },
      { version: 2, amount: '200000.00', termMonths: 12, replacedAt: '2026-03-13T05:00:00.000Z' },
      { version: 1, hash: first.hash, amount: '150000.00', replacedAt: '2026-03-13T04:00:00.000Z' },
    ]);
    const read = (version: string) => borrower.readLoanContract(loan.id, { version });
    const { body: old } = await read('1').answer();
    expect(old).toEqual({ ...first, replacedAt: '2026-03-13T04:00:00.000Z', versions: newest.versions });
    const paper = await borrower.readLoanContractPdf(loan.id, { version: '1', lang: 'fil' });
    const { text } = readPdf(paper.bytes);
    expect(text).toContain('Wala nang bisa: pinalitan ito ng bersyon 2 noong 13 Mar 2026.');
    expect(text).toContain('₱16,250.00');
    expect(paper.headers['content-disposition']).toContain('LN-2026-000001-v1-fil.pdf');
    for (const version of ['4', '99999999']) await refused(read(version), 404);
    for (const version of ['0', '-1', 'one', '1.5', '1e3']) await refused(read(version), 400);
  });

  it('says the same in Filipino, and which text governs', async () => {
    const { borrower, loan } = await applicant(server);
    const english = await contractOf(borrower.token, loan.id);
    const inLanguage = (lang: string) => borrower.readLoanContract(loan.id, { lang });
    const { body: filipino } = await inLanguage('fil').answer();
    const { language, governs, terms, ...same } = filipino;
    expect(english).toMatchObject(same);
    expect(language).toBe('fil');
    expect(governs).toContain('ang tekstong Ingles ang masusunod');
    expect(terms).toHaveLength(english.terms.length);
    expect(terms[0]).toBe('Hulog: 12 pantay na buwanang bayad na ₱16,250.00.');
    expect(await inLanguage('en')).toEqual(english);
    await refused(inLanguage('de'), 400, {
      message: 'Language must be en or fil',
      errors: { lang: 'Language must be en or fil' },
    });
  });

  it('does not move with the clock, with the status or with the lender’s rate', async () => {
    const { borrower, loan } = await applicant(server);
    const before = await contractOf(borrower.token, loan.id);
    server.clock.advance({ days: 20 });
    await edit(loan.id, { status: 'approved' });
    expect(await contractOf(borrower.token, loan.id)).toEqual({ ...before, status: 'approved' });
    const dearer = await passingServer({
      config: { loanMonthlyRate: 999 as never },
      deps: { database: server.database, clock: server.clock },
    });
    const body = await dearer.as(borrower).readLoanContract(loan.id);
    expect(body.quote).toEqual(before.quote);
  });

  it('keeps both parties as they were, whatever becomes of them', async () => {
    const { borrower, loan } = await applicant(server);
    const before = await contractOf(borrower.token, loan.id);
    const paper = await borrower.readLoanContractPdf(loan.id);
    await borrower.updateProfile({
      fullName: 'Another Name',
      address: 'Somewhere else',
      email: 'another@example.test',
    });
    await server.main.updateMember(borrower.id, { phone: '09990001111' });
    const renamed = await passingServer({
      config: {
        lender: {
          ...sampleLender,
          isSample: false,
          name: 'Another Lending Company',
          tradeName: 'Another',
          address: 'Another street',
          supportPhone: '0999 000 2222',
          registrationNumber: 'CS-ANOTHER',
        },
      },
      deps: { database: server.database, clock: server.clock },
    });
    const after = await renamed.as(borrower).readLoanContract(loan.id);
    expect(after).toEqual(before);
    const again = await renamed.as(borrower).readLoanContractPdf(loan.id);
    expect(readPdf(again.bytes).text).toBe(readPdf(paper.bytes).text);

    // New versions name the borrower as the account does now.
    await renamed.as(await server.signInMainAdmin()).updateLoan(loan.id, { termMonths: 24 });
    const second = await renamed.as(borrower).readLoanContract(loan.id);
    expect(second).toMatchObject({
      version: 2,
      isSample: false,
      lender: { name: 'Another Lending Company', address: 'Another street' },
      borrower: { fullName: 'Another Name', phone: '09990001111', address: 'Somewhere else' },
    });
    expect((await verify(server.database)).wrong).toEqual([]);
  });

  it('names in verify who put another party into it', async () => {
    const { borrower, loan } = await applicant(server);
    const row = `Wrong: loan_terms ${loan.id}, version 1`;
    const wrongAfter = async (change: SQL, undo: SQL) => {
      await tamper(server.database, change);
      const { wrong } = await verify(server.database);
      await tamper(server.database, undo);
      return wrong.map((line) => line.replace(`, account ${borrower.id}`, ''));
    };
    const renamed = (name: string) => sql`update loan_borrowers set full_name = ${name}`;
    expect(await wrongAfter(renamed('Somebody else'), renamed(fullProfile.fullName))).toEqual([
      `${row}: they name another borrower than was agreed.`,
    ]);
    const lenderIs = (name: string) =>
      sql`update lenders set facts = jsonb_set(facts, '{name}', ${JSON.stringify(name)}::jsonb)`;
    expect(await wrongAfter(lenderIs('Another lender'), lenderIs(sampleLender.name))).toEqual([
      `${row}: they name another lender than was agreed.`,
    ]);
    const graceIs = (days: number) =>
      sql`update loan_terms set agreement = jsonb_set(agreement, '{servicing,graceDays}', ${String(days)}::jsonb)`;
    expect(await wrongAfter(graceIs(0), graceIs(10))).toEqual([
      `${row}: their agreement does not match its hash.`,
    ]);
    // Whoever computes the hash anew lacks the key.
    const [terms] = await termsOf(server, loan.id);
    const { agreement } = terms ?? {};
    if (!terms || !agreement) throw new Error('no agreement was kept');
    const forged = { ...agreement, servicing: { ...agreement.servicing, graceDays: 0 } };
    const agreementIs = (value: object, hash: string | null) =>
      sql`update loan_terms set agreement = ${JSON.stringify(value)}::jsonb, agreement_hash = ${hash}`;
    const changes = [
      agreementIs(forged, hashOf({ quoteHash: terms.hash, ...forged })),
      agreementIs(agreement, terms.agreementHash),
    ] as const;
    expect(await wrongAfter(...changes)).toEqual([`${row}: it is not as the server wrote it.`]);
    await tamper(server.database, sql`delete from loan_borrowers`);
    expect((await verify(server.database)).wrong).toEqual([
      `${row}, account ${borrower.id}: nobody is named as their borrower.`,
    ]);
  });

  it('from before parties and servicing were kept says what it said', async () => {
    const { borrower, loan } = await applicant(server);
    await tamper(server.database, sql`delete from loan_borrowers`);
    await tamper(server.database, sql`update loan_terms set agreement = null, agreement_hash = null`);
    const contract = await contractOf(borrower.token, loan.id);
    expect(contract).toMatchObject({
      agreement: null,
      settlements: [],
      lender: { name: sampleLender.name },
      borrower: { fullName: fullProfile.fullName },
    });
    expect(contract.terms).toHaveLength(5);
    expect(contract.terms).toContain('Late charge: 2% per month on an overdue instalment, until it is paid.');
    const paper = await server.main.readLoanContractPdf(loan.id);
    const text = readPdf(paper.bytes).text.replace(/ *\n/g, ' ');
    expect(text).toContain('Both parties are named as they are today');
    expect(text).not.toContain('What settling early costs');
    // Its disbursement writes down how it is serviced, and what it said stays to be read.
    await edit(loan.id, { status: 'approved' });
    await server.main.disburseLoan(loan.id, { channel: 'wallet' });
    expect(await contractOf(borrower.token, loan.id)).toMatchObject({
      version: 2,
      agreement: { servicing },
      agreedAt: contract.agreedAt,
      settlements: [{ afterInstalment: 1 }, { afterInstalment: 3 }, { afterInstalment: 6 }],
    });
    const first = await server.main.readLoanContract(loan.id, { version: '1' });
    expect(first.terms).toEqual(contract.terms);
  });

  it('is dated anew by a disbursement, between the parties who agreed to it', async () => {
    const { borrower, loan } = await applicant(server, { amount: 2_000_000, termMonths: 48 });
    server.clock.advance({ days: 2 });
    await edit(loan.id, { status: 'approved' });
    const { lender, borrower: agreed } = await contractOf(borrower.token, loan.id);
    await borrower.updateProfile({ fullName: 'Another Name', address: 'Somewhere else' });
    const renamed = await passingServer({
      config: { lender: { ...sampleLender, name: 'Another Lending Company' } },
      deps: { database: server.database, clock: server.clock },
    });
    const token = await server.signInMainAdmin();
    await renamed.as(token).disburseLoan(loan.id, { channel: 'wallet' });
    const body = await renamed.as(borrower).readLoanContract(loan.id);
    expect(body).toMatchObject({ version: 2, startDate: '2026-03-12', lender, borrower: agreed });
    const dates = 'The due dates count from the day of disbursement, 12 Mar 2026.';
    expect(body.terms).toContain(`First payment: two months after disbursement. ${dates}`);
    const paper = await renamed.as(token).readLoanContractPdf(loan.id);
    expect(readPdf(paper.bytes).text.replace(/ *\n/g, ' ').split(dates)).toHaveLength(3);
    expect(body.settlements).toMatchObject([
      { afterInstalment: 1, date: '2026-05-12', amount: '2055798.53' },
      { afterInstalment: 3 },
      { afterInstalment: 6 },
      { afterInstalment: 12 },
      { afterInstalment: 24, amount: '1453474.55' },
      { afterInstalment: 36 },
    ]);
    expect((await verify(server.database)).wrong).toEqual([]);
  });

  it('cannot be changed in the database', async () => {
    const { loan } = await applicant(server);
    const tamper = server.database.transaction((tx) =>
      tx.update(loanTerms).set({ hash: 'another' }).where(eq(loanTerms.loanId, loan.id)),
    );
    await expect(tamper).rejects.toThrow(/append-only/);
  });

  it('is not shown when its figures no longer match its hash', async () => {
    const borrower = await server.verifiedBorrower();
    const id = await takeOverLoan(server, borrower.id);
    const loan = await apply(server, borrower);
    const [terms] = await termsOf(server, loan.id);
    if (!terms) throw new Error('no terms were frozen');
    await server.database.transaction((tx) =>
      tx
        .insert(loanTerms)
        .values({ ...terms, id: undefined, loanId: id, quote: { ...terms.quote, amount: '1.00' } }),
    );
    const { statusCode, body } = await server.app.inject({
      url: `/api/loans/${id}/contract`,
      headers: { authorization: `Bearer ${borrower.token}` },
    });
    expect(statusCode).toBe(500);
    expect(body).not.toContain('1.00');
    expect(server.takeErrors().join('')).toContain('do not match their hash');
  });

  it('is for its borrower and staff only, and needs frozen terms', async () => {
    const { borrower, loan } = await applicant(server);
    const stranger = await server.registerBorrower();
    const admin = await server.createAdmin();
    const takenOver = await takeOverLoan(server, borrower.id);
    for (const row of [api.readLoanContract, api.readLoanContractPdf]) {
      const read = (token: string | undefined, id: number) =>
        server.call(row, { ...(token ? { token } : {}), params: { id } });
      expect((await read(borrower.token, loan.id)).status).toBe(200);
      expect((await read(admin.token, loan.id)).status).toBe(200);
      expect((await read(undefined, loan.id)).status).toBe(401);
      const absent = await read(stranger.token, 999_999);
      expect(absent.status).toBe(404);
      expect(await read(stranger.token, loan.id)).toMatchObject({ status: 404, text: absent.text });
      expect(await read(borrower.token, takenOver)).toMatchObject({ status: 404, text: absent.text });
    }
    // An application that nobody agreed to leaves nothing behind. Tests below delete an approved one.
    await admin.deleteLoan(loan.id);
    for (const row of [api.readLoanContract, api.readLoanContractPdf]) {
      expect((await server.call(row, { token: borrower.token, params: { id: loan.id } })).status).toBe(404);
    }
  });
});

describe('terms that staff changed', () => {
  const accept = ({ token }: { token?: string | undefined }, id: number, anyBody: unknown) =>
    server.as(token).acceptContract(id, odd(anyBody));
  const listed = async () => (await server.main.listLoans())[0];
  const ownLoans = ({ token }: { token: string }) => server.as(token).listOwnLoans();
  const paper = async (token: string, id: number, lang: 'en' | 'fil' = 'en', version?: string) => {
    const { bytes } = await server.as(token).readLoanContractPdf(id, { lang, version });
    return readPdf(bytes).text.replace(/ *\n/g, ' ');
  };
  const mark = 'Not agreed by the borrower: the lender issued this version';

  it('are marked as not agreed until the borrower accepts them', async () => {
    const { borrower, loan } = await applicant(server);
    expect(await listed()).not.toHaveProperty('isUnagreed');
    expect(await paper(borrower.token, loan.id)).not.toContain(mark);
    server.clock.advance({ hours: 3 });
    const { body: edited } = await edit(loan.id, { termMonths: 24 }).answer();
    expect(edited).toMatchObject({ isUnagreed: true, termMonths: 24 });
    expect(await listed()).toMatchObject({ isUnagreed: true });
    expect((await ownLoans(borrower))[0]).toMatchObject({ isUnagreed: true });
    const before = await contractOf(borrower.token, loan.id);
    expect(before).toMatchObject({
      version: 2,
      agreedAt: null,
      versions: [{ agreedAt: null }, { agreedAt: '2026-03-10T04:00:00.000Z' }],
    });
    expect(await paper(borrower.token, loan.id)).toContain(mark);
    expect(await paper(borrower.token, loan.id, 'fil')).toContain('Hindi sinang-ayunan ng nanghihiram');
    expect(await paper(borrower.token, loan.id, 'en', '1')).not.toContain(mark);

    server.clock.advance({ hours: 1 });
    const accepted = { version: 2, hash: before.hash, acceptedAt: '2026-03-10T08:00:00.000Z' };
    expect(await accept(borrower, loan.id, { version: 2 }).answer()).toMatchObject({
      status: 201,
      body: accepted,
    });
    server.clock.advance({ hours: 1 });
    const again = await Promise.all([1, 2, 3].map(() => accept(borrower, loan.id, { version: 2 }).answer()));
    for (const one of again) expect(one).toMatchObject({ status: 201, body: accepted });
    expect(await contractOf(borrower.token, loan.id)).toMatchObject({ agreedAt: accepted.acceptedAt });
    expect(await listed()).not.toHaveProperty('isUnagreed');
    expect((await ownLoans(borrower))[0]).not.toHaveProperty('isUnagreed');
    const text = await paper(borrower.token, loan.id);
    expect(text).not.toContain(mark);
    expect(text).toContain('The borrower accepted this version in the app on 10 Mar 2026.');
    expect(await auditOf(server.database, 'loan_terms_accepted')).toMatchObject([
      { actorId: borrower.id, targetId: loan.id, after: { version: 2, hash: before.hash } },
    ]);
    expect((await verify(server.database)).wrong).toEqual([]);
    const change = sql`update loan_acceptances set version = 1`;
    await expect(server.database.transaction((tx) => tx.execute(change))).rejects.toThrow();
  });

  it('are accepted in their newest version, and one’s own application needs no acceptance', async () => {
    const { borrower, loan } = await applicant(server);
    expect(await accept(borrower, loan.id, { version: 1 }).answer()).toMatchObject({
      status: 201,
      body: { version: 1, acceptedAt: '2026-03-10T04:00:00.000Z' },
    });
    expect(await auditOf(server.database, 'loan_terms_accepted')).toEqual([]);
    await edit(loan.id, { termMonths: 24 });
    await edit(loan.id, { termMonths: 36 });
    for (const version of [1, 2, 4])
      await refused(accept(borrower, loan.id, { version }), 409, 'quote_changed');
    for (const anyBody of [{}, { version: 0 }, { version: '3' }, { version: 1.5 }, { version: null }, []]) {
      await refused(accept(borrower, loan.id, anyBody), 400);
    }
    expect((await accept(borrower, loan.id, { version: 3 }).answer()).status).toBe(201);
  });

  it('can be accepted by the borrower only', async () => {
    const { borrower, loan } = await applicant(server);
    await edit(loan.id, { termMonths: 24 });
    const other = await server.registerBorrower();
    const { token: staff } = await server.createAdmin();
    await refused(accept({}, loan.id, { version: 2 }), 401);
    await refused(accept({ token: staff }, loan.id, { version: 2 }), 403);
    await refused(accept(other, loan.id, { version: 2 }), 404);
    await refused(accept(borrower, 999_999, { version: 2 }), 404);
    const old = await takeOverLoan(server, borrower.id);
    await refused(accept(borrower, old, { version: 1 }), 404);
    await edit(old, { termMonths: 24 });
    expect((await contractOf(borrower.token, old)).agreedAt).toBeNull();
    expect((await accept(borrower, old, { version: 1 }).answer()).status).toBe(201);
  });
});

describe('the contract of a loan that was approved and deleted', () => {
  it.each([
    ['as it was', undefined],
    ['also when the status was put back first', 'pending'],
  ])('can be deleted by the main admin only, and stays readable, %s', async (_, laterStatus) => {
    const { borrower, loan } = await approvedApplication(server);
    if (laterStatus) await edit(loan.id, { status: laterStatus });
    const { token: staff } = await server.createAdmin();
    const approver = await server.createAdmin({ roles: ['approver'] });
    const other = await server.registerBorrower();
    const remove = (token: string) => server.as(token).deleteLoan(loan.id);
    const before = await contractOf(borrower.token, loan.id);
    for (const token of [staff, approver.token]) await refused(remove(token), 403, 'main_admin_only');
    await remove(await server.signInMainAdmin());
    expect(await contractOf(borrower.token, loan.id)).toEqual(before);
    const read = (token: string) => server.as(token).readLoanContractPdf(loan.id);
    await read(borrower.token);
    await refused(read(other.token), 404);
    const notices = await borrower.listNotifications();
    expect(notices[0]).toMatchObject({
      type: 'loan_deleted',
      details: { loanNumber: loan.loanNumber, contractOf: String(loan.id) },
    });
  });

  it('leaves an application to any staff to delete, and tells its borrower', async () => {
    const { borrower, loan } = await applicant(server);
    await edit(loan.id, { status: 'denied' });
    const admin = await server.createAdmin();
    await admin.deleteLoan(loan.id);
    const notices = await borrower.listNotifications();
    expect(notices[0]).toMatchObject({ type: 'loan_deleted', details: { loanNumber: loan.loanNumber } });
    expect(notices[0]?.details).not.toHaveProperty('contractOf');
  });
});

describe('the contract on paper', () => {
  const download = (token: string, id: number) => server.as(token).readLoanContractPdf(id);

  it.each([
    ['Ana محمد', 'Ana U+0645 U+062D U+0645 U+062F'],
    ['Ana 王小明', 'Ana U+738B U+5C0F U+660E'],
    ['Ana 😀 Reyes', 'Ana U+1F600 Reyes'],
  ])(
    'prints a letter that its fonts lack as its code point, never as a box: %s',
    async (fullName, printed) => {
      const { borrower, loan } = await applicant(server, {}, { fullName });
      const { text } = readPdf((await download(borrower.token, loan.id)).bytes);
      expect(text.replace(/\s+/g, ' ')).toContain(printed);
      expect(text).not.toContain('\uFFFD');
    },
  );

  it('says everything a disclosure statement has to say', async () => {
    const { borrower, loan } = await applicant(server, {}, { fullName: 'Niña Peñaflor' });
    const contract = await contractOf(borrower.token, loan.id);
    const { headers, bytes } = await download(borrower.token, loan.id);
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'inline; filename="LN-2026-000001-v1.pdf"',
      'cache-control': 'no-store',
    });
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    const { text, pageCount } = readPdf(bytes);
    const flat = text.replace(/ *\n/g, ' ');
    expect(pageCount).toBeLessThanOrEqual(3);
    expect(flat).not.toContain('�');
    const expected = [
      contract.governs,
      'Loan Contract and Disclosure Statement',
      'LN-2026-000001-v1',
      '1 (as applied for)',
      `Hiram · ${sampleLender.name}`,
      'SEC Registration No. CS-SAMPLE-0000 · Certificate of Authority No. CA-SAMPLE-0000',
      'Study the terms and conditions in the Disclosure Statement before you proceed with a loan.',
      'Certificate of Authority CA-SAMPLE-0000',
      '14 Nov 2014',
      sampleLender.address,
      'Niña Peñaflor',
      borrower.phone,
      fullProfile.address,
      'Amount financed (principal) ₱150,000.00',
      'stamp tax) ₱0.00',
      'Net proceeds, paid out to the borrower ₱150,000.00',
      'Finance charge: all interest over the term, in pesos ₱45,000.00',
      'Total of all payments ₱195,000.00',
      'Monthly instalment, 12 times ₱16,250.00',
      'Effective interest rate a month 3.67%',
      '44.00%',
      'Effective interest rate a year, compounded 54.05%',
      'Late charge on an overdue instalment 2% per month',
      ...contract.terms,
      '1 10 May 2026 ₱16,250.00',
      '12 10 Apr 2027 ₱16,250.00',
      '12 instalments, together ₱195,000.00 The due dates count from the day of application, 10 Mar 2026,',
      'Signature',
      contract.hash,
      'Page 1 of 2',
    ];
    for (const part of expected) expect(flat).toContain(part);
  });

  it('says it all in Filipino too, and that the English text governs', async () => {
    const { borrower, loan } = await applicant(server);
    const query = { lang: 'fil' };
    const contract = await borrower.readLoanContract(loan.id, query);
    const { bytes, headers } = await borrower.readLoanContractPdf(loan.id, query);
    expect(headers).toMatchObject({
      'content-language': 'fil-PH',
      'content-disposition': 'inline; filename="LN-2026-000001-v1-fil.pdf"',
    });
    const { text, source, pageCount } = readPdf(bytes);
    const flat = text.replace(/ *\n/g, ' ');
    expect(pageCount).toBeLessThanOrEqual(3);
    expect(flat).not.toContain('�');
    expect(source).toContain('/Lang (fil-PH)');
    for (const part of [
      contract.governs,
      ...contract.terms,
      'Kontrata ng Loan',
      'Matatanggap ng nanghihiram (net proceeds) ₱150,000.00',
      'Epektibong interes bawat buwan 3.67%',
      '2 10 Hun 2026 ₱16,250.00',
      '12 hulog, kabuuang ₱195,000.00 Pansamantala ang mga petsa ng hulog, mula sa araw ng application, 10 Mar 2026.',
      'Lagda',
      contract.hash,
    ]) {
      expect(flat).toContain(part);
    }
  });

  it('is marked as a sample on every page while the lender is one', async () => {
    const { borrower, loan } = await applicant(server);
    const { pages } = readPdf((await download(borrower.token, loan.id)).bytes);
    for (const page of pages) expect(page).toContain('SAMPLE');
  });

  it('can be read aloud, searched and found by its title', async () => {
    const { borrower, loan } = await applicant(server);
    const { source } = readPdf((await download(borrower.token, loan.id)).bytes);
    expect(source).toContain('/Lang (en-PH)');
    expect(source).toContain('/Marked true');
    expect(source).toContain('/DisplayDocTitle true');
    expect(source).toContain('>Loan Contract and Disclosure Statement LN-2026-000001-v1</rdf:li>');
    for (const type of ['Document', 'H1', 'H2', 'Table', 'TR', 'TH', 'TD', 'L', 'LI']) {
      expect(source).toContain(`/S /${type}\n`);
    }
    expect(source).toContain('/FontFile2');
    expect(source).not.toMatch(/\/BaseFont \/(Helvetica|Times|Courier)/);
  });

  it('is the same file every time', async () => {
    const { borrower, loan } = await applicant(server);
    const first = await download(borrower.token, loan.id);
    server.clock.advance({ days: 2 });
    const second = await download(borrower.token, loan.id);
    expect(second.bytes.equals(first.bytes)).toBe(true);
  });

  it('holds sixty instalments and the longest texts on three pages', async () => {
    const borrower = await server.verifiedBorrower({
      fullName: `${'W'.repeat(100)} \u202e陳大文 😀`,
      address: 'Long Street, '.repeat(38).trim(),
    });
    const loan = await apply(server, borrower, { purpose: 'P'.repeat(500), termMonths: 48 });
    await edit(loan.id, { amount: 10_000_000, termMonths: 60 });
    const { bytes } = await download(borrower.token, loan.id);
    const { text, pageCount } = readPdf(bytes);
    expect(pageCount).toBe(3);
    expect(text).toContain('2 (replaces version 1)');
    expect(text).toContain('60 instalments, together ₱');
    expect(text.match(/^\d\d? \w{3} 20\d\d$/gm)?.length).toBeGreaterThanOrEqual(60);
    expect(text).not.toContain('\u202e');
  });
});

describe('the paper of a lender of its own', () => {
  let licensed: TestServer;
  beforeAll(async () => {
    const lender = { ...sampleLender, isSample: false, name: 'A lender of its own' };
    licensed = await startTestServer({ config: { lender } });
  });
  afterAll(() => licensed.close());

  it('carries its name and no mark', async () => {
    const borrower = await licensed.verifiedBorrower();
    const loan = await apply(licensed, borrower);
    const { bytes } = await borrower.readLoanContractPdf(loan.id);
    const { text } = readPdf(bytes);
    expect(text).toContain('A lender of its own');
    expect(text).not.toMatch(/SAMPLE[. ]/);
    expect(text).not.toContain('not a licensed company');
  });

  it('has its logo at the head, and omits what its file does not give', async () => {
    const logo = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9H0z"/></svg>';
    const picture = { file: 'logo.svg', path: '/lender/1.svg', contentType: 'image/svg+xml' };
    const { tradeName, certificateOfAuthorityNumber, ...plain } = sampleLender;
    const own = await startTestServer({
      config: {
        lender: { ...plain, isSample: false, name: 'A lender of its own', logo: picture.path },
        lenderPictures: [{ ...picture, bytes: Buffer.from(logo) }],
      },
    });
    onTestFinished(own.close);
    const pdfOf = async (server: TestServer) => {
      const { borrower, loan } = await applicant(server);
      return readPdf((await borrower.readLoanContractPdf(loan.id)).bytes);
    };
    const images = ({ source }: { source: string }) => source.match(/\/Subtype \/Image/g)?.length ?? 0;
    const withLogo = await pdfOf(own);
    expect(images(withLogo)).toBeGreaterThan(0);
    expect(images(await pdfOf(licensed))).toBe(0);
    expect(withLogo.text).not.toMatch(/undefined|Certificate of Authority/);
    expect(withLogo.text).toContain(`SEC Registration No. ${plain.registrationNumber}\n`);
  });
});
