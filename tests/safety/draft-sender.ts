import { expect } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import { formWithFile } from '#tests/setup/photo.ts';
import type { TestServer } from '#tests/setup/test-server.ts';
import { type Draft, foreignFile, memberNumber, ownFile, ownPhone } from './hostile-requests.ts';
import {
  isStill,
  kindOfId,
  type Person,
  plantPeople,
  type Role,
  roles,
  staffAddress,
} from './planted-people.ts';
import { faultsOf } from './reply-faults.ts';

export type Sending = { name: string; row: Endpoint; role: Role; draft: Draft; round: number };

/** Sends drafts in the name of planted people and fails the test at the first answer that is not as it should be. */
export function createSender(server: TestServer, picture: Buffer, replayHint: string) {
  const planted = plantPeople(server);
  const people = new Map<Role, Person>();
  /** Whoever has been deleted, suspended or signed out by a request: their records are asked for all the same. */
  const victims: Person[] = [];
  const succeeded = new Set<string>();
  const form = formWithFile(picture);
  let sent = 0;

  const personOf = (role: Role) => people.get(role) ?? expect.fail(`nobody is ${role}`);

  /** Somebody for each role who still is what the role says. */
  async function renewRoles(): Promise<void> {
    for (const role of roles) {
      const person = people.get(role);
      if (person && (await isStill(server, role, person))) continue;
      if (person) victims.push(person);
      people.set(role, await planted.plant(role));
    }
  }

  /** Puts real ids where the draft only says whose. */
  function address({ row, role, draft, round }: Sending) {
    const kind = kindOfId(row);
    const mine = personOf(role);
    const others: Role[] = role === 'borrower' ? ['other borrower', 'admin'] : ['borrower', 'admin'];
    const theirs = [...others.map(personOf), ...victims.slice(-3)];
    const other = theirs[round % theirs.length] ?? mine;
    const owner = draft.id.kind === 'own' && kind && mine.owns[kind].length > 0 ? mine : other;
    const owned = kind ? owner.owns[kind] : [];
    const id = owned.at(-1 - (round % Math.min(2, owned.length))) ?? '1';
    const path = row.path.replace(/\{\w+\}/, draft.id.kind === 'odd' ? draft.id.text : id);
    const fill = (text: string) =>
      text
        .replaceAll(ownFile, mine.owns.files[0] ?? ownFile)
        .replaceAll(ownPhone, mine.phone)
        .replaceAll(foreignFile, other.owns.files[0] ?? foreignFile)
        .replaceAll(String(memberNumber), String(other.id || 1));
    return {
      url: `${path}${draft.query === '' ? '' : `?${draft.query}`}`,
      isForeign: kind !== undefined && draft.id.kind !== 'odd' && !mine.owns[kind].includes(id),
      fill,
    };
  }

  function bodyOf({ row, draft, round }: Sending, fill: (text: string) => string) {
    if (row.takesFile && round % 3 === 0) {
      return {
        payload: form.payload,
        contentType: form.headers['content-type'],
        shown: 'a form with a picture',
      };
    }
    if (!draft.body) return { payload: undefined, contentType: undefined, shown: 'no body' };
    const { text, contentType } = draft.body;
    const payload = typeof text === 'string' ? fill(text) : text;
    return { payload, contentType, shown: `${contentType} ${payload.toString().slice(0, 600)}` };
  }

  async function send(sending: Sending): Promise<void> {
    const { name, row, role, draft, round } = sending;
    const person = personOf(role);
    const { url, isForeign, fill } = address(sending);
    const { payload, contentType, shown } = bodyOf(sending, fill);
    const isStaff = role === 'admin' || role === 'main admin';
    sent += 1;
    const response = await server.app.inject({
      method: row.method,
      url,
      remoteAddress: isStaff && !draft.isFromElsewhere ? staffAddress : `10.9.${round & 255}.${sent & 255}`,
      headers: {
        ...(person.token ? { authorization: `Bearer ${person.token}` } : {}),
        ...(contentType === undefined ? {} : { 'content-type': contentType }),
        ...draft.headers,
      },
      ...(payload === undefined ? {} : { payload }),
    });
    const { statusCode: status, body: text, headers } = response;
    const answer = {
      status,
      text,
      contentType: String(headers['content-type'] ?? ''),
      retryAfter: headers['retry-after'] === undefined ? undefined : String(headers['retry-after']),
    };
    const faults = faultsOf(answer, { row, role, person, isForeign }, planted.secretsOfStaff);
    if (faults.length > 0) {
      expect.fail(
        `${replayHint}, round ${round}: ${role} asked ${row.method} ${url.slice(0, 300)} with ${shown} and was ` +
          `answered ${status} ${text.slice(0, 600)}\n${faults.join('\n')}\n${server.takeErrors().join('')}`,
      );
    }
    if (status >= 300) return;
    succeeded.add(name);
    if (name === 'applyForLoan') person.owns.loans.push(String(response.json().id));
    if (name === 'requestWithdrawal') person.owns.withdrawals.push(String(response.json().id));
  }

  return { renewRoles, send, succeeded, sent: () => sent };
}
