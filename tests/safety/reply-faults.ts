import * as api from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { type ErrorCode, failures } from '#contract/errors.ts';
import { marksIn, type Person, type Role } from './planted-people.ts';

export type Answer = { status: number; text: string; contentType: string; retryAfter: string | undefined };

/** A caller and the row called. `isForeign`: the path names what belongs to somebody else. */
export type Asked = { row: Endpoint; role: Role; person: Person; isForeign: boolean };

/** No refusal says where the code lies, or what it asks of its database. */
const insides =
  /\n\s+at |node_modules|\.(?:ts|js|mjs):\d+|\/(?:work|home|root|srv|tmp|usr)\/|drizzle|pglite|\b(?:select|insert into|update|delete from)\b.+\b(?:from|values|set|where)\b|syntax error at|violates|relation "/i;

/** No reply at all holds these. */
const keptSecrets = /\$argon2|password_?hash|token_?hash|sealed/i;

/** Only staff read these of a member. */
const staffFields = /"(?:plainPassword|otpCode|otpExpiresAt|hasIssuedPassword|hasOtpCode)"/;

const isBorrower = (role: Role) => role === 'borrower' || role === 'other borrower';
const isStaff = (role: Role) => role === 'admin' || role === 'main admin';

/** Everything that is wrong with an answer to somebody of this role. */
export function faultsOf(answer: Answer, asked: Asked, secretsOfStaff: readonly string[]): string[] {
  const isAboutTheTable = [api.readOpenApi.path, api.readApiPage.path].some(
    (path) => path === asked.row.path,
  );
  return [
    ...faultsOfForm(answer),
    ...(isAboutTheTable ? [] : faultsOfContent(answer, asked, secretsOfStaff)),
  ];
}

/** §errors: a refusal is JSON with a message and a code, and bad input is never the server's failure. */
function faultsOfForm({ status, text, contentType, retryAfter }: Answer): string[] {
  if (status < 400) return [];
  const faults: string[] = [];
  if (status >= 500 && !(status === 503 && Number(retryAfter) > 0)) faults.push(`answered ${status}`);
  const body = contentType.startsWith('application/json') ? JSON.parse(text) : undefined;
  const code: ErrorCode | undefined = body?.code;
  if (!code || failures[code].status !== status) faults.push('its code is not that of its status');
  if (typeof body?.message !== 'string' || body.message === '') faults.push('it has no message');
  if (insides.test(text)) faults.push('it tells of the inside');
  return faults;
}

function faultsOfContent(
  { status, text }: Answer,
  asked: Asked,
  secretsOfStaff: readonly string[],
): string[] {
  const { role, person, isForeign } = asked;
  const faults: string[] = [];
  if (keptSecrets.test(text)) faults.push('it tells how secrets are kept');
  if (isBorrower(role) && staffFields.test(text)) faults.push('it tells what only staff see');
  if (isBorrower(role) && isForeign && status < 300) faults.push('it shows what belongs to somebody else');
  for (const mark of new Set(marksIn(text))) {
    const may = secretsOfStaff.includes(mark)
      ? role === 'main admin'
      : isStaff(role) || person.marks.includes(mark);
    if (!may) faults.push(`it holds ${mark}, planted with somebody else`);
  }
  return faults;
}
