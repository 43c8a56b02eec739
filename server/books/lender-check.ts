import type { Lender } from '#contract/lender.ts';
import { pictureForPaper, readLender } from '#server/lender-file.ts';
import { sampleLender } from '#server/sample-lender.ts';
import { Refusal, type Say, withFolders } from './console-text.ts';

/**
 * `npm run lender:check -- <file>`: whether the server would start with this lender's file, and what a licensed lender
 * still has to add. Throws with everything that is wrong.
 */
export async function checkLender(typed: readonly string[], say: Say): Promise<boolean> {
  const [file, ...others] = withFolders(typed);
  if (file === undefined || others.length > 0) throw new Refusal('Usage: npm run lender:check -- <file>');
  const { lender, pictures } = readLender(file);
  for (const picture of pictures) await pictureForPaper(picture);
  say(`${file} can be used. Pages will be headed "${lender.tradeName ?? lender.name}".`);
  const advice = adviceFor(lender);
  if (advice.length > 0) say(['Before customers come:', ...advice.map((line) => `  - ${line}`)].join('\n'));
  return true;
}

/** Fields that a page does without, and what a borrower misses then. */
const advisable: Partial<Record<keyof Lender, string>> = {
  certificateOfAuthorityNumber:
    'SEC MC 19, s. 2019 wants it on every page and advertisement, beside the corporate name and the SEC registration number',
  dataProtectionOfficer: 'borrowers must be able to ask somebody about their data (RA 10173)',
  supportHours: 'when somebody answers the phone',
  branches: 'where a borrower can walk in',
  tradeName: 'the short name for the header; the corporate name stands there now',
  logo: 'your own mark in the header and on papers',
};

function adviceFor(lender: Lender): string[] {
  const missing = Object.entries(advisable)
    .filter(([field]) => Reflect.get(lender, field) === undefined)
    .map(([field, why]) => `"${field}" is not given: ${why}.`);
  const sampleTexts = new Set(textsOf(sampleLender).map(([, text]) => text));
  const copied = textsOf(lender).filter(([, text]) => sampleTexts.has(text) && !plausible.has(text));
  const copiedFields = [...new Set(copied.map(([field]) => field))].join(', ');
  return [
    ...(lender.isSample
      ? ['"isSample" is true: every page says that this is a sample lender. Write false once it is you.']
      : []),
    ...(copied.length > 0 ? [`Still as in the example: ${copiedFields}.`] : []),
    ...missing,
  ];
}

/** Facts of the sample lender that may well be true of another. */
const plausible = new Set([sampleLender.registrationDate, sampleLender.status, 'Bank Transfer']);

/** Every text in it, with its field. */
function textsOf(lender: Lender): [field: string, text: string][] {
  const textsIn = (value: unknown): string[] => {
    if (typeof value === 'string') return [value];
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
  };
  return Object.entries(lender).flatMap(([field, value]) =>
    textsIn(value).map((text): [string, string] => [field, text]),
  );
}
