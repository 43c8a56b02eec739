import { hash } from 'node:crypto';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { z } from 'zod/mini';
import { Lender } from '#contract/lender.ts';
import { isGsmText } from '#domain/gsm.ts';
import { limits } from '#domain/limits.ts';
import { paymentChannels } from '#domain/payment.ts';
import { Refusal, type Say, withFolders } from '#server/platform/console-text.ts';
import { codeOf } from '#server/platform/file-system.ts';
import { imageKindOf } from '#server/platform/image-kind.ts';
import { faintIn } from './lender-colour.ts';
import { sampleLender } from './sample-lender.ts';
import { refuse } from './setting-error.ts';

export type LenderPicture = { file: string; path: string; contentType: string; bytes: Buffer };

/**
 * Reads the lender's file, with URLs in place of file names (§lender). Throws a `SettingError`
 * that lists everything wrong.
 */
export function readLender(file: string): { lender: Lender; lenderPictures?: readonly LenderPicture[] } {
  const { where, lender, pictures, faults } = inspectLender(file);
  if (lender && faults.length === 0)
    return { lender, lenderPictures: pictures.map(({ picture }) => picture) };
  refuseFile(where, faults);
}

function refuseFile(where: string, faults: readonly string[]): never {
  const many = `${faults.length} things are wrong:\n  ${faults.join('\n  ')}`;
  refuse('LENDER_CONFIG', `names ${where}, in which ${faults.length === 1 ? faults[0] : many}`);
}

/** The lender, the pictures with the first field that names each, and what is wrong but for pictures that cannot be drawn. */
function inspectLender(file: string) {
  const where = path.resolve(file);
  const written = parseJson(where, readText(where));
  const read = Lender.safeParse(written, { error: (issue) => faultsOf(issue).join('\n') });
  const faults = read.success ? [] : read.error.issues.flatMap(({ message }) => message.split('\n'));
  // The colour is judged where other fields are wrong too, so that one run names every fault.
  const colour = Lender.shape.colour.safeParse(valueAt(written, ['colour'])).data;
  const faint = colour && faintIn(colour);
  if (faint) faults.push(`"colour" ${faint}`);
  const pictures = new Map<string, { field: string; picture: LenderPicture }>();
  for (const { field, holder, key } of picturesIn(read.success ? read.data : written)) {
    // A data URL is part of the page itself.
    if (field !== 'logo' && holder[key]?.startsWith('data:image/')) continue;
    const picture = readPicture(path.dirname(where), holder[key] ?? '');
    if (typeof picture === 'string') {
      faults.push(`"${field}" ${picture}`);
    } else {
      if (!pictures.has(picture.path)) pictures.set(picture.path, { field, picture });
      holder[key] = picture.path;
    }
  }
  return { where, lender: read.success ? read.data : undefined, pictures: [...pictures.values()], faults };
}

/** The same picture as PNG, for PDFs. Throws a `SettingError` if it is damaged. */
export async function pictureForPaper(picture: LenderPicture): Promise<Buffer> {
  return (await drawPicture(picture)) ?? refuse('LENDER_CONFIG', damaged(picture));
}

const damaged = ({ file }: LenderPicture) =>
  `names the picture ${file}, which is damaged or too large to be drawn`;

async function drawPicture({ bytes }: LenderPicture): Promise<Buffer | undefined> {
  try {
    // Loaded only for a logo: a separate process reads strangers' images (`platform/image-decoder.ts`).
    const { default: sharp } = await import('sharp');
    const picture = sharp(bytes, {
      density: 300,
      failOn: 'truncated',
      limitInputPixels: limits.documentMaxPixels,
    });
    return await picture.resize({ width: 800, height: 200, fit: 'inside' }).png().toBuffer();
  } catch {
    return undefined;
  }
}

function readText(where: string): string {
  try {
    return readFileSync(where, 'utf8').replace(/^\ufeff/, '');
  } catch (error) {
    refuse('LENDER_CONFIG', `names ${where}, which cannot be read (${codeOf(error)})`);
  }
}

function parseJson(where: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const position = /at position (?<position>\d+)/.exec(String(error))?.groups?.position;
    const before = text.slice(0, Number(position)).split('\n');
    const place = position && ` (line ${before.length}, column ${(before.at(-1) ?? '').length + 1})`;
    refuse('LENDER_CONFIG', `names ${where}${place ?? ''}, which is not valid JSON`);
  }
}

/** The issue that zod passes before it has a message: the input, and the schema that refused it. */
type Issue = z.core.$ZodRawIssue;

function faultsOf(issue: Issue): string[] {
  const { path: steps = [] } = issue;
  if (issue.code !== 'unrecognized_keys') {
    return [`${fieldName(steps)} ${issue.input === undefined ? 'is missing' : ruleOf(issue)}`];
  }
  const known = Object.keys((issue.inst as typeof Lender)._zod.def.shape);
  return issue.keys.map((key) => {
    const meant = nearest(key, known);
    const hint = meant === undefined ? '' : `; did you mean "${meant}"?`;
    return `${fieldName([...steps, key])} is no field of this file${hint}`;
  });
}

/** `['regulators', 0, 'name']` → `"regulators[0].name"`. */
function fieldName(steps: readonly PropertyKey[]): string {
  if (steps.length === 0) return 'the whole';
  const name = steps.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
  return JSON.stringify(name.replace(/^\./, ''));
}

const valueAt = (value: unknown, steps: readonly PropertyKey[]): unknown =>
  steps.reduce((inside, step) => (isObject(inside) ? Reflect.get(inside, step) : undefined), value);

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const typeNames: Record<string, string> = {
  string: 'a text in quotes',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list in [ ]',
  object: 'fields in { }',
};

const formats: Record<string, string> = {
  date: 'must be a date such as 2014-11-14',
  time: 'must be a time such as 08:00',
  url: 'must begin with http:// or https://',
  colour: 'must be a colour such as #0b6e5f',
};

function ruleOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeNames[issue.expected] ?? issue.expected}`;
    case 'too_small':
      return issue.origin === 'number' ? `must be at least ${issue.minimum}` : 'must not be empty';
    case 'too_big':
      if (issue.origin === 'number') return `must be at most ${issue.maximum}`;
      return issue.origin === 'array'
        ? `must not have more than ${issue.maximum} entries`
        : `must not be longer than ${issue.maximum} characters`;
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`;
    case 'invalid_format':
      return formats[issue.format] ?? 'is not valid';
    case 'custom':
      if (typeof issue.params?.rule === 'string') return issue.params.rule;
      return 'must be within 08:00 to 20:00 and begin before they end';
    default:
      return 'is not valid';
  }
}

/** The closest known name: a few letters away, or sharing its beginning or end. */
function nearest(written: string, names: readonly string[]): string | undefined {
  const key = written.toLowerCase();
  const distances = names.map((name) => {
    const known = name.toLowerCase();
    const isPart = key.length >= 4 && (known.startsWith(key) || known.endsWith(key));
    return { name, distance: isPart ? 1 : editDistance(key, known) };
  });
  const [best] = distances.sort((a, b) => a.distance - b.distance);
  const farthest = key.length < 4 ? 1 : Math.max(2, key.length / 3);
  return best && best.distance <= farthest ? best.name : undefined;
}

/** Levenshtein distance. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (const [at, other] of [...to].entries()) {
      const changed = (row[at] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(changed, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

type PictureField = { field: string; holder: Partial<Record<string, string>>; key: string };

/** Every place in the file that names a picture; the schema reports malformed ones. */
function picturesIn(written: unknown): PictureField[] {
  const lists = { regulators: 'logo', paymentAccounts: 'qrImage', partnerBanks: 'logo' };
  const listed = Object.entries(lists).flatMap(([list, key]) => {
    const holders = valueAt(written, [list]);
    return (Array.isArray(holders) ? holders : []).map((holder: unknown, index) => ({
      field: `${list}[${index}].${key}`,
      holder,
      key,
    }));
  });
  const fields = [{ field: 'logo', holder: written, key: 'logo' }, ...listed];
  return fields.filter((one): one is PictureField => typeof valueAt(one.holder, [one.key]) === 'string');
}

function readPicture(folder: string, name: string): LenderPicture | string {
  if (/^[a-z][a-z\d+.-]+:/i.test(name))
    return 'must be the name of a picture beside this file, not an address';
  const file = path.resolve(folder, name);
  const outside = 'must name a picture in the folder of this file';
  if (!isWithin(folder, file)) return outside;
  let bytes: Buffer;
  try {
    // Resolves symbolic links: the picture is public.
    const real = realpathSync(file);
    if (!isWithin(realpathSync(folder), real)) return outside;
    if (statSync(real).size > limits.lenderPictureMaxBytes)
      return `names ${file}, which is larger than ${limits.lenderPictureMaxBytes / 1000} kB`;
    bytes = readFileSync(real);
  } catch (error) {
    const code = codeOf(error);
    return `names ${file}, which ${code === 'ENOENT' ? 'is not there' : `cannot be read (${code})`}`;
  }
  const kind = isSvg(bytes) ? 'svg' : imageKindOf(bytes);
  const contentType = kind && contentTypes.get(kind);
  if (contentType === undefined) return `names ${file}, which is no PNG, JPEG, WebP or SVG picture`;
  return { file, path: `/lender/${hash('sha256', bytes).slice(0, 16)}.${kind}`, contentType, bytes };
}

const isWithin = (folder: string, file: string) => file.startsWith(path.join(folder, path.sep));

const contentTypes = new Map([
  ['png', 'image/png'],
  ['jpeg', 'image/jpeg'],
  ['webp', 'image/webp'],
  ['svg', 'image/svg+xml'],
]);

/** An XML declaration, comments and a document type may come before the `<svg>`. */
const svgStart = /^\ufeff?(?:\s|<\?[^>]*\?>|<!--.*?-->|<!DOCTYPE[^>[]*(?:\[[^\]]*\]\s*)?>)*<svg[\s>]/is;

const isSvg = (bytes: Buffer) => svgStart.test(bytes.toString('utf8'));

/** `npm run lender:check -- <file>`: also lists what a licensed lender still has to add. */
export async function checkLender(typed: readonly string[], say: Say): Promise<boolean> {
  const [file, ...others] = withFolders(typed);
  if (file === undefined || others.length > 0) throw new Refusal('Usage: npm run lender:check -- <file>');
  const { where, lender, pictures, faults } = inspectLender(file);
  for (const { field, picture } of pictures)
    if (!(await drawPicture(picture))) faults.push(`"${field}" ${damaged(picture)}`);
  if (!lender || faults.length > 0) refuseFile(where, faults);
  say(`${file} can be used. Pages will be headed "${lender.tradeName ?? lender.name}".`);
  const advice = adviceFor(lender);
  if (advice.length > 0) say(['Before customers come:', ...advice.map((line) => `  - ${line}`)].join('\n'));
  return true;
}

/** How messages of this lender begin, and whom they say to call. */
export const messageNameOf = ({ messages, tradeName, name }: Lender): string =>
  messages?.name ?? tradeName ?? name;
export const messagePhoneOf = ({ messages, supportPhone }: Lender): string => messages?.phone ?? supportPhone;

/**
 * Returns the faults that keep the lender's name and phone out of a text message. Both are bounded, so that
 * every text fits into one.
 */
export function messageFaultsOf(lender: Lender): string[] {
  const [name, phone] = [messageNameOf(lender), messagePhoneOf(lender)];
  const nameField = lender.messages?.name === undefined ? 'the trade name' : '"messages.name"';
  const phoneField = lender.messages?.phone === undefined ? '"supportPhone"' : '"messages.phone"';
  const faultOf = (field: string, text: string, max: number, instead: string) => {
    if (text.length > max) return [`${field} is longer than ${max} characters; give ${instead}`];
    return isGsmText(text) ? [] : [`${field} has letters that text messages do not have; give ${instead}`];
  };
  return [
    ...faultOf(nameField, name, limits.messageNameMaxLength, '"messages.name"'),
    ...(/^test/i.test(name) ? [`${nameField} begins with "test"; give "messages.name"`] : []),
    ...faultOf(phoneField, phone, limits.messagePhoneMaxLength, '"messages.phone"'),
  ];
}

/** Optional fields, and what borrowers miss without them. */
const advisable: Partial<Record<keyof Lender, string>> = {
  certificateOfAuthorityNumber:
    'SEC MC 19, s. 2019 wants it on every page and advertisement, beside the corporate name and the SEC registration number',
  dataProtectionOfficer: 'borrowers must be able to ask somebody about their data (RA 10173)',
  paymentAccounts: 'where borrowers pay: without it the app can only tell them to ask you',
  decisionDays: 'by when an applicant hears',
  supportHours: 'when somebody answers the phone',
  branches: 'where a borrower can walk in',
  tradeName: 'the short name for the header; the corporate name stands there now',
  logo: 'your own mark in the header and on papers',
  colour: 'your own colour of buttons and links',
};

const fourDigits = /(\d\D*){4}/;
const mailAddress = /^\S+@\S+\.\S+$/;

function adviceFor(lender: Lender): string[] {
  const missing = Object.entries(advisable)
    .filter(([field]) => Reflect.get(lender, field) === undefined)
    .map(([field, why]) => `"${field}" is not given: ${why}.`);
  const sampleTexts = new Set(textsOf(sampleLender).map(([, text]) => text));
  const copied = textsOf(lender).filter(([, text]) => sampleTexts.has(text) && !plausible.has(text));
  const copiedFields = [...new Set(copied.map(([field]) => field))].join(', ');
  const sample =
    '"isSample" is true: every page says that this is a sample lender. Write false once it is you.';
  const example = `Still as in the example: ${copiedFields}.`;
  const { supportPhone, supportEmail, dataProtectionOfficer: officer } = lender;
  const contacts = [
    ['supportPhone', supportPhone, fourDigits],
    ['supportEmail', supportEmail, mailAddress],
    ['dataProtectionOfficer', officer?.email, mailAddress],
  ] as const;
  const dead = contacts
    .filter(([, text, shape]) => text !== undefined && !shape.test(text))
    .map(([field, text]) => `${field} (${text})`);
  return [
    ...(lender.isSample ? [sample] : []),
    ...(copied.length > 0 ? [example] : []),
    ...messageFaultsOf(lender).map((fault) => `Before text messages can be sent: ${fault}.`),
    ...(dead.length > 0 ? [`Nobody can be reached there: ${dead.join(', ')}.`] : []),
    ...missing,
  ];
}

/** Values of the sample lender that may also be true of a real one. */
const plausible = new Set<string>([
  ...[sampleLender.registrationDate, sampleLender.status, 'Bank Transfer', '08:00', '20:00'],
  ...paymentChannels,
]);

function textsOf(lender: Lender): [field: string, text: string][] {
  const textsIn = (value: unknown): string[] => {
    if (typeof value === 'string') return [value];
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
  };
  return Object.entries(lender).flatMap(([field, value]) =>
    textsIn(value).map((text): [string, string] => [field, text]),
  );
}
