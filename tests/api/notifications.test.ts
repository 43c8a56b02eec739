import { describe, expect, it } from 'vitest';
import { type Caller, odd, refused } from '#tests/setup/caller.ts';
import { bothEngines } from '#tests/setup/test-database.ts';
import { passingServer, testServer } from '#tests/setup/test-server.ts';
import { auditOf } from './books.ts';
import { borrowerWithLoan, brokenBodies, jsonHeaders } from './lending.ts';

describe.each(bothEngines)('on %s', async (engine) => {
  const server = await testServer({ engine });

  const message = { title: 'Your loan', message: 'Please bring your ID to our office.' };

  const send = (anyBody: unknown) => server.main.notifyMember(odd(anyBody));

  describe('messages from staff', () => {
    const to = ({ id }: { id: number }, staff: Caller = server.main) =>
      staff.notifyMember({ userId: id, ...message });
    const statuses = async (calls: { answer(): Promise<{ status: number }> }[]) => {
      const answers = await Promise.all(calls.map((one) => one.answer()));
      return answers.map(({ status }) => status).toSorted();
    };
    async function collector() {
      const staff = await server.createAdmin();
      await server.main.updateAdmin(staff.id, { roles: ['collector'] });
      return staff;
    }

    /** Another process of the same installation. */
    const second = () =>
      passingServer({
        deps: { database: server.database, secrets: server.deps.secrets, clock: server.clock },
      });

    it('are five to a member and day, from all staff together, whatever arrives at once', async () => {
      const elsewhere = (await second()).as(await server.signInMainAdmin());
      const [borrower, other] = [await server.registerBorrower(), await server.registerBorrower()];
      const clerk = await server.createAdmin();
      const forty = Array.from({ length: 40 }, (_, index) =>
        to(borrower, [clerk, server.main, elsewhere][index % 3]),
      );
      expect(await statuses(forty)).toEqual([...Array(5).fill(201), ...Array(35).fill(429)]);
      const { message: why } = await refused(to(borrower), 429, 'too_many_requests');
      expect(why).toContain('5 messages');
      expect(await borrower.listNotifications()).toHaveLength(5);
      await to(other);
      server.clock.advance({ days: 1 });
      await to(borrower);
    });

    it('share the five with replies to a complaint, and with reasons for a status that the loan has', async () => {
      const { borrower, loan } = await borrowerWithLoan(server, { date: '2025-12-15' });
      const staff = await collector();
      const { id } = await borrower.complain({ category: 'service', message: 'Nobody answers the phone' });
      const reply = () => staff.answerComplaint(id, { message: 'Pay what you owe' });
      const replies = await statuses(Array.from({ length: 40 }, reply));
      expect(replies).toEqual([...Array(5).fill(201), ...Array(35).fill(429)]);
      const say = (status: string) => server.main.updateLoan(loan.id, { status, reason: 'Pay what you owe' });
      await refused(say('active'), 429, 'too_many_requests');
      // A decision is never held up.
      await say('on hold');
      await staff.updateComplaint(id, { status: 'resolved' });
      expect(await borrower.listOwnComplaints()).toMatchObject([{ status: 'resolved' }]);
    });

    it('of who only collects are attempts: the guard is asked, and one of forty at once is sent', async () => {
      server.clock.set('2026-03-20T02:00:00.000Z');
      const { borrower, loan } = await borrowerWithLoan(server, { date: '2025-12-15' });
      const staff = await collector();
      const elsewhere = (await second()).as(staff.token);
      expect(await staff.listContacts(loan.id)).toMatchObject({ may: true, isMessageAttempt: true });
      const forty = Array.from({ length: 40 }, (_, index) => to(borrower, index % 2 ? elsewhere : staff));
      expect(await statuses(forty)).toEqual([201, ...Array(39).fill(409)]);
      const { message: why } = await refused(to(borrower, staff), 409, 'contact_not_allowed');
      expect(why).toContain('21 Mar 2026, 08:00');
      expect(await server.main.listContacts(loan.id)).toMatchObject({
        contacts: [{ channel: 'message', outcome: 'other', note: '', made: false }],
        may: false,
        reason: 'today',
      });
      expect(await staff.listContacts(loan.id)).toMatchObject({ isMessageAttempt: true, reason: 'today' });
      expect(await server.main.listContacts(loan.id)).not.toHaveProperty('isMessageAttempt');
      await borrower.complain({ category: 'amount', message: 'Something is wrong' });
      expect(await server.main.listContacts(loan.id)).toMatchObject({ isMessageAttempt: true });
      await refused(server.main.recordContact(loan.id, { channel: 'call', outcome: 'reached' }), 409);
      // Others have things to say that are no collection.
      await to(await server.registerBorrower());
      server.clock.set('2026-03-20T12:00:00.000Z');
      const late = server.as(await server.signIn({ username: staff.email, password: staff.password }));
      await refused(to(await server.registerBorrower(), late), 409, 'contact_not_allowed');
    });

    it('while somebody complains about collection or an amount are attempts too, whoever sends them', async () => {
      server.clock.set('2026-03-20T02:00:00.000Z');
      const borrower = await server.registerBorrower();
      const complain = (category: 'collection' | 'amount' | 'service') =>
        borrower.complain({ category, message: 'Something is wrong' });
      await complain('service');
      await to(borrower);
      const { id } = await complain('amount');
      await refused(to(borrower), 409, 'contact_not_allowed');
      server.clock.set('2026-04-19T02:00:00.000Z');
      await to(borrower);
      await refused(to(borrower), 409, 'contact_not_allowed');
      const again = server.as(await server.signIn({ phone: borrower.phone, password: borrower.password }));
      expect(await again.downloadOwnData({ password: borrower.password })).toMatchObject({
        contacts: [{ channel: 'message', loanId: null }],
      });
      await server.main.answerComplaint(id, { message: 'We look into it' });
      await again.withdrawComplaint(id, { status: 'withdrawn' });
      await to(borrower);
      // Sending them was trying to reach the borrower.
      const employee = await server.createAdmin();
      const { id: next } = await again.complain({ category: 'collection', message: 'They wrote again' });
      await refused(server.main.updateComplaint(next, { status: 'resolved' }), 403, 'own_request');
      await employee.updateComplaint(next, { status: 'resolved' });
    });
  });

  describe('a message from staff', () => {
    it('reaches the member, newest first, and nobody else', async () => {
      const borrower = await server.registerBorrower();
      const other = await server.registerBorrower();
      const first = await send({ userId: borrower.id, ...message, type: 'loan_update' }).answer();
      expect(first).toMatchObject({ status: 201 });
      expect(first.body).toEqual({
        id: expect.any(Number),
        userId: borrower.id,
        ...message,
        type: 'loan_update',
        details: null,
        createdAt: '2026-03-10T04:00:00.000Z',
      });
      const second = await send({ userId: borrower.id, title: ' Again ', message: 'x'.repeat(1_000) });
      expect(second).toMatchObject({ title: 'Again', type: 'loan_update' });
      const body = await borrower.listNotifications();
      expect(body).toEqual([second, first.body]);
      expect(await other.listNotifications()).toEqual([]);
    });

    it('is logged without its text', async () => {
      const borrower = await server.registerBorrower();
      const { body } = await send({ userId: borrower.id, ...message }).answer();
      const entries = await auditOf(server.database, 'notification_sent');
      expect(entries).toMatchObject([
        {
          actorId: 3,
          targetType: 'account',
          targetId: borrower.id,
          after: {
            notificationId: body.id,
            type: 'loan_update',
            hash: expect.stringMatching(/^[\w+/=-]{40,}$/),
          },
        },
      ]);
      expect(JSON.stringify(entries)).not.toContain('bring your ID');
    });

    it('is sent to members only', async () => {
      const gone = await server.registerBorrower();
      const admin = await server.createAdmin();
      await server.main.deleteUser(gone.id);
      for (const userId of [gone.id, admin.id, 3, 999_999]) {
        expect({ userId, ...(await send({ userId, ...message }).answer()) }).toMatchObject({
          userId,
          status: 404,
          body: { code: 'not_found' },
        });
      }
      expect(await auditOf(server.database, 'notification_sent')).toEqual([]);
    });

    it('is refused when something is missing or wrong', async () => {
      const { id: userId } = await server.registerBorrower();
      const wrong: [Record<string, unknown>, string][] = [
        [{ userId: undefined }, 'Please choose a member'],
        [{ userId: null }, 'Please choose a member'],
        [{ userId: String(userId) }, 'Please choose a member'],
        [{ userId: 0 }, 'Please choose a member'],
        [{ userId: -1 }, 'Please choose a member'],
        [{ userId: 1.5 }, 'Please choose a member'],
        [{ userId: 1e300 }, 'Please choose a member'],
        [{ userId: [userId] }, 'Please choose a member'],
        [{ title: undefined }, 'Title is required'],
        [{ title: '   ' }, 'Title is required'],
        [{ title: 7 }, 'Title is required'],
        [{ title: 'x'.repeat(121) }, 'Please use a shorter text'],
        [{ title: 'a\u0000b' }, 'This text has characters that cannot be stored'],
        [{ message: undefined }, 'Message is required'],
        [{ message: '' }, 'Message is required'],
        [{ message: ['a'] }, 'Message is required'],
        [{ message: 'x'.repeat(1_001) }, 'Please use a shorter text'],
        [{ message: 'a\u0000b' }, 'This text has characters that cannot be stored'],
        [{ type: 'balance_changed' }, 'This kind of message cannot be sent'],
        [{ type: 5 }, 'This kind of message cannot be sent'],
      ];
      for (const [fields, sentence] of wrong) {
        const { status, body } = await send({ userId, ...message, ...fields }).answer();
        expect({ fields, status, message: body.message }).toEqual({ fields, status: 400, message: sentence });
      }
      for (const [name, rawBody] of brokenBodies) {
        const { status } = await server.main
          .notifyMember(undefined, { rawBody, headers: jsonHeaders })
          .answer();
        expect({ name, status }).toEqual({ name, status: 400 });
      }
    });

    it('can be sent by staff only, and read by whoever is signed in', async () => {
      const borrower = await server.registerBorrower();
      const body = { userId: borrower.id, ...message };
      await refused(server.visitor.notifyMember(body), 401);
      await refused(borrower.notifyMember(body), 403);
      const admin = await server.createAdmin();
      expect((await admin.notifyMember(body).answer()).status).toBe(201);
      await refused(server.visitor.listNotifications(), 401);
      expect(await admin.listNotifications()).toEqual([]);
    });
  });

  describe('messages of changed access', () => {
    const editAsStaff = (id: number, body: Record<string, unknown>) =>
      server.main.updateMember(id, odd(body));
    const sinceOf = async (token: string) => (await server.as(token).readProfile()).accessNewsSince;

    it('are shown after the next sign-in until closed, with whatever came meanwhile', async () => {
      const borrower = await server.registerBorrower();
      expect(await sinceOf(borrower.token)).toBeUndefined();
      await editAsStaff(borrower.id, { bankName: 'Bank Z', bankAccountNumber: '5554443332221' });
      server.clock.advance({ hours: 1 });
      await editAsStaff(borrower.id, { otpCode: '123456', phone: '09179990000' });
      await editAsStaff(borrower.id, { creditScore: 700, status: 'active' });
      const body = await server.visitor.signIn({ phone: '09179990000', password: borrower.password });
      expect(body.user.accessNewsSince).toBe('2026-03-10T04:00:00.000Z');
      const { token } = body;
      const told = await server.as(token).listNotifications();
      expect(told.map(({ type }) => type).sort()).toEqual([
        'bank_details_changed',
        'otp_set',
        'phone_changed',
        'status_changed',
      ]);
      const close = (lastId: unknown) => server.as(token).closeAccessNews(odd({ lastId }));
      server.clock.advance({ minutes: 1 });
      await editAsStaff(borrower.id, { otpCode: '654321' });
      await close(told[0]?.id);
      expect(await sinceOf(token)).toBe('2026-03-10T05:01:00.000Z');
      const newest = await server.as(token).listNotifications();
      await close(newest[0]?.id);
      expect(await sinceOf(token)).toBeUndefined();
      for (const wrong of [undefined, null, 0, '7', 1.5]) await refused(close(wrong), 400);
    });

    it('can be closed by their owner only', async () => {
      const [one, two] = [await server.registerBorrower(), await server.registerBorrower()];
      await editAsStaff(one.id, { otpCode: '123456' });
      await two.closeAccessNews({ lastId: 1_000_000 });
      expect(await sinceOf(one.token)).toBeDefined();
      await server.main.closeAccessNews({ lastId: 1_000_000 });
      expect(await sinceOf(one.token)).toBeDefined();
    });
  });
});
