import fc from 'fast-check';
import * as api from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { fullProfile } from '#tests/setup/test-server.ts';
import { setBalance } from './model-balance.ts';
import { type Asked, type Deed, keyed, personOf, requirePerson, someKey, someone } from './model-deed.ts';
import { type Judge, type Model, refused } from './model-request.ts';
import { banks } from './model-withdrawals.ts';
import {
  type Bank,
  changeBank,
  issuePassword,
  newPerson,
  type Person,
  setCode,
  startSession,
  whyKeptOut,
} from './oracle.ts';

// The commands about people: register, sign in, complete the profile, and what staff do to an account.

const mostPeople = 5;
const password = 'borrower password';

const phoneOf = (number: number) => `0917555000${number}`;
/** The same number in its international form. */
const otherForm = (phone: string) => `+63 ${phone.slice(1)}`;

/** A newcomer, or somebody with the phone of one who is there already. */
export const register: fc.Arbitrary<Deed> = fc
  .record({ isNew: fc.boolean(), who: someone, isOtherwise: fc.boolean() })
  .map(({ isNew, who, isOtherwise }) => ({
    words: isNew ? 'register' : `register with the phone of person ${who + 1}`,
    can: (model) => (isNew ? model.people.length < mostPeople : personOf(model, who) !== undefined),
    ask: (model) =>
      isNew
        ? registration(phoneOf(model.people.length + 1), isOtherwise)
        : registration(`0${requirePerson(model, who).phone.slice(-10)}`, isOtherwise),
  }));

/** How every run begins: somebody is there. */
export const firstRegistration = () => registration(phoneOf(1), false);

function registration(known: string, isOtherwise: boolean): Asked {
  const phone = isOtherwise ? otherForm(known) : known;
  const body = { fullName: fullProfile.fullName, phone, password };
  return { request: { row: api.register, by: 'nobody', body }, judge: judgeRegistration(known, phone) };
}

const isSamePhone = (a: string, b: string) => a.slice(-10) === b.slice(-10);

function judgeRegistration(known: string, phone: string): Judge {
  return (model) => {
    const isTaken = model.people.some((one) => !one.isDeleted && isSamePhone(one.phone, known));
    if (isTaken) return refused(409, 'already_registered');
    return {
      status: 201,
      reply: { user: { phone, balance: '0.00', status: 'pending', creditScore: 500, isVerified: false } },
      happened: (reply) => {
        const { id } = reply.user as { id: number };
        const person = newPerson(model.people.length + 1, id, phone, password);
        startSession(person, String(reply.token), model.nowMs);
        model.people.push(person);
      },
    };
  };
}

/** With the right password: wrong ones are counted elsewhere. */
export const signIn: fc.Arbitrary<Deed> = someone.map((who) => ({
  words: `sign person ${who + 1} in`,
  can: (model) => personOf(model, who)?.isDeleted === false,
  ask: (model) => {
    const person = requirePerson(model, who);
    const body = { phone: person.phone, password: person.password };
    return {
      request: { row: api.signIn, by: 'nobody', body },
      judge: () => {
        if (person.status === 'suspended') return refused(403, 'account_suspended');
        return {
          status: 200,
          reply: { user: { id: person.id } },
          happened: ({ token }) => startSession(person, String(token), model.nowMs),
        };
      },
    };
  },
}));

/** All of the profile, with the documents that make it verified or without. */
export const completeProfile: fc.Arbitrary<Deed> = fc
  .record({ who: someone, bank: fc.constantFrom(...Object.keys(banks)), hasDocuments: fc.boolean() })
  .map(profileOf);

/** A whole profile, with the photos that a loan asks for or without. */
export function profileOf({
  who,
  bank,
  hasDocuments,
}: {
  who: number;
  bank: string;
  hasDocuments: boolean;
}): Deed {
  return {
    words: `complete the profile of person ${who + 1} with bank ${bank}${hasDocuments ? ' and documents' : ''}`,
    can: (model) => personOf(model, who) !== undefined,
    ask: async (model, world) => {
      const person = requirePerson(model, who);
      const { is: _, ...account } = banks[bank] as Bank;
      const mayUpload = hasDocuments && whyKeptOut(person, model.nowMs) === undefined;
      const url = mayUpload && person.session ? await world.upload(person.session.token) : undefined;
      const documents = url ? { idFrontUrl: url, idBackUrl: url, selfieUrl: url } : {};
      const body = { ...fullProfile, ...account, ...documents };
      return {
        request: { row: api.updateProfile, by: person, body },
        judge: () => ({
          status: 200,
          reply: { ...account, isVerified: person.hasDocuments || url !== undefined },
          happened: () => {
            changeBank(person, banks[bank] as Bank, false, model.nowMs);
            if (url) person.hasDocuments = true;
          },
        }),
      };
    },
  };
}

/** An edit of a member by staff: one of the fields that concern money. */
type Edit = {
  words: string;
  body: Record<string, unknown>;
  happened: (model: Model, person: Person) => void;
};

const codeEdit = (otpCode: string): Edit => ({
  words: `set code ${otpCode}`,
  body: { otpCode },
  happened: (model, person) => {
    setCode(person, otpCode, model.nowMs);
    person.notices += 1;
    model.audited.otp_set += 1;
  },
});

/** Money and code in one edit: all of it or nothing. */
const readyEdit = (balance: number, otpCode: string): Edit => ({
  words: `set balance ${balance} and code ${otpCode}`,
  body: { balance, otpCode },
  happened: (model, person) => {
    codeEdit(otpCode).happened(model, person);
    setBalance(model, person, balance * 100, 'admin_adjustment');
  },
});

const bankEdit = (name: string): Edit => {
  const bank = banks[name] as Bank;
  const { is: _, ...body } = bank;
  return {
    words: `change the bank to ${name} by staff`,
    body,
    happened: (model, person) => {
      if (!changeBank(person, bank, true, model.nowMs)) return;
      person.staffChangedAtMs = model.nowMs;
      person.notices += 1;
    },
  };
};

const passwordEdit: Edit = {
  words: 'set a password by staff',
  body: { password: 'issued password' },
  happened: (model, person) => {
    person.password = 'issued password';
    person.session = undefined;
    person.staffChangedAtMs = model.nowMs;
    person.notices += 1;
    issuePassword(person, model.nowMs);
  },
};

const statusEdit = (status: 'active' | 'suspended'): Edit => ({
  words: status === 'active' ? 'reactivate' : 'suspend',
  body: { status },
  happened: (_, person) => {
    if (person.status === status) return;
    person.status = status;
    person.notices += 1;
    if (status === 'suspended' && person.session) person.session.isEnded = true;
  },
});

const edited = (who: number, { words, body, happened }: Edit, key: string | undefined): Deed => ({
  words: keyed(`${words} for person ${who + 1}`, key),
  can: (model) => personOf(model, who) !== undefined,
  ask: (model) => {
    const person = requirePerson(model, who);
    const params = { id: person.id };
    return {
      request: {
        row: api.updateMember,
        by: 'staff',
        params,
        body,
        key,
      },
      judge: () => {
        if (person.isDeleted) return refused(404, 'not_found');
        return { status: 200, reply: { id: person.id }, happened: () => happened(model, person) };
      },
    };
  },
});

const edits = (...choices: Edit[]) =>
  fc
    .record({ who: someone, edit: fc.constantFrom(...choices), key: someKey })
    .map(({ who, edit, key }) => edited(who, edit, key));

export const giveCode = edits(codeEdit('111111'), codeEdit('222222'));
export const makeReady = edits(readyEdit(50_000, '111111'), readyEdit(9_000, '222222'));
export const changeAccess = edits(bankEdit('A'), bankEdit('B'), passwordEdit);
export const suspend = edits(statusEdit('suspended'));
export const reactivate = edits(statusEdit('active'));

/** True if nothing is in the wallet or on its way out of it, and no loan is with the borrower. */
const isSettled = (model: Model, person: Person): boolean =>
  person.balanceCentavos === 0 &&
  !model.withdrawals.some(
    ({ owner, status }) => owner === person && (status === 'pending' || status === 'approved'),
  ) &&
  !model.loans.some(
    ({ owner, status, releasedCentavos, isDeleted, account }) =>
      owner === person &&
      !isDeleted &&
      (account
        ? !['settled', 'completed', 'cancelled'].includes(account.stored.account.state)
        : status === 'active' || releasedCentavos !== null),
  );

export const remove: fc.Arbitrary<Deed> = someone.map((who) => ({
  words: `delete person ${who + 1}`,
  can: (model) => personOf(model, who) !== undefined,
  ask: (model) => {
    const person = requirePerson(model, who);
    const row: Endpoint = api.deleteUser;
    return {
      request: { row, by: 'staff', params: { id: person.id } },
      judge: () => {
        if (person.isDeleted) return refused(404, 'not_found');
        if (!isSettled(model, person)) return refused(409, 'member_not_settled');
        const happened = () => {
          person.isDeleted = true;
          person.session = undefined;
          person.code = undefined;
          model.kept = model.kept.filter(({ ownerId }) => ownerId !== person.id);
          // A person of whom the books know nothing leaves nothing behind.
          const hasLoans = model.loans.some(({ owner }) => owner === person);
          if (person.ledger.length === 0 && !hasLoans) person.notices = 0;
          model.audited.member_deleted += 1;
        };
        return { status: 200, happened };
      },
    };
  },
}));
