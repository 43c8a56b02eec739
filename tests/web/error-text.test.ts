import { describe, expect, it } from 'vitest';
import * as api from '#contract/api.ts';
import { type Endpoint, failureCodes } from '#contract/endpoint.ts';
import { type ErrorCode, failures } from '#contract/errors.ts';
import { en } from '#contract/wording/en.ts';
import { core } from '#contract/wording/en-sign-in.ts';
import { fil } from '#contract/wording/fil.ts';
import { CallError, callErrorOf, NetworkError } from '#web/lib/call-error.ts';
import { errorText, validationSentence } from '#web/lib/error-text.ts';
import { UnsettledError } from '#web/lib/money-call.ts';

const codes = Object.keys(failures) as ErrorCode[];
const staff = ['admin', 'mainAdmin'];
const codesOfBorrowers = new Set<string>([
  ...Object.values<Endpoint>(api).flatMap((row) => (staff.includes(row.access) ? [] : failureCodes(row))),
  // Whatever is called.
  ...['internal', 'answer_failed', 'method_not_allowed', 'headers_too_large'],
]);
const refusal = (code: ErrorCode, message: string = en.errors[code]) =>
  new CallError(failures[code].status, message, { code, message });
const languages = [
  { name: 'English', words: core },
  { name: 'Filipino', words: fil },
];

describe('a refusal of the server', () => {
  it('has a sentence for every code, and no two codes say the same', () => {
    expect(Object.keys(en.errors).sort()).toEqual([...codes].sort());
    expect(Object.keys(fil.errors).sort()).toEqual([...codesOfBorrowers].sort());
    expect(new Set(Object.values(en.errors)).size).toBe(codes.length);
  });

  it.each(codes)('%s is what the server said, to a borrower in Filipino the sentence of its code', (code) => {
    for (const english of [core, en]) {
      expect(errorText(refusal(code, 'What the server said'), english)).toBe('What the server said');
    }
    const inFilipino = errorText(refusal(code), fil);
    const sentences: Partial<Record<ErrorCode, string>> = fil.errors;
    expect(inFilipino).toBe(sentences[code] ?? en.errors[code]);
    expect(inFilipino !== en.errors[code]).toBe(codesOfBorrowers.has(code));
  });

  it.each([
    { seconds: '0.4', en: '1 second', fil: '1 segundo' },
    { seconds: '60', en: '60 seconds', fil: '60 segundo' },
    { seconds: '61', en: '2 minutes', fil: '2 minuto' },
    { seconds: '900', en: '15 minutes', fil: '15 minuto' },
  ])('too many tries say how long to wait: $seconds s', ({ seconds, en, fil: filipino }) => {
    const message = failures.too_many_tries.en;
    const refused = new CallError(429, message, { message, code: 'too_many_tries' }, seconds);
    expect(errorText(refused, core)).toBe(`Too many tries. Please wait ${en} and try again.`);
    expect(errorText(refused, fil)).toContain(filipino);
    expect(errorText(new CallError(429, '429: Slow down', undefined, seconds), core)).toContain(en);
    // Another rule has its own sentence.
    const code = new CallError(429, 'Asked already', { code: 'code_already_requested' }, seconds);
    expect(errorText(code, core)).toBe('Asked already');
  });

  it('too large says how large it may be', () => {
    for (const words of [en, fil]) expect(words.errors.too_large).toContain('10 MB');
  });

  it('a failed validation is the sentence of its rule', () => {
    for (const [key, sentence] of Object.entries(core.validation)) {
      const error = refusal('validation_failed', sentence);
      expect(errorText(error, core)).toBe(sentence);
      expect(errorText(error, fil)).toBe(fil.validation[key as keyof typeof fil.validation]);
    }
    expect(errorText(refusal('validation_failed', 'A rule of tomorrow'), fil)).toBe('A rule of tomorrow');
  });

  it('an unknown code is shown in the server’s words', () => {
    const message = 'Tomorrow’s refusal';
    for (const code of [undefined, 'of_tomorrow', 'constructor'] as unknown as ErrorCode[]) {
      const error = new CallError(418, message, { message, code });
      for (const { words } of languages) expect(errorText(error, words)).toBe(message);
    }
  });

  it('without any words of the server, the fallback', () => {
    const mute = new CallError(409, '', {});
    expect(errorText(mute, core)).toBe('Please try again');
    expect(errorText(mute, core, 'Failed to fetch members')).toBe('Failed to fetch members');
  });

  it.each([
    ['no body', '', '500: Internal Server Error'],
    ['no message', '{}', 'Internal Server Error'],
    ['an empty message', '{"message":""}', 'Internal Server Error'],
    ['no object', 'null', 'Internal Server Error'],
  ])('with %s, the action’s own fallback or else the status text', (_, body, statusText) => {
    const error = callErrorOf(500, 'Internal Server Error', body);
    expect(errorText(error, core, 'Failed to create admin')).toBe('Failed to create admin');
    expect(errorText(error, core)).toBe(statusText);
    const said = callErrorOf(500, 'Internal Server Error', '{"message":"Said"}');
    expect(errorText(said, core, 'Failed to create admin')).toBe('Said');
  });
});

describe.each(languages)('what is not our server’s refusal, in $name', ({ words }) => {
  it('no connection', () => {
    expect(errorText(new NetworkError(new TypeError('x')), words)).toBe(words.shell.noConnection);
  });

  it('a proxy’s page, or a text too long to read, is not shown', () => {
    const page = new CallError(502, '502: <html><body>nginx</body></html>');
    const story = new CallError(500, `500: ${'x'.repeat(200)}`);
    for (const error of [page, story]) expect(errorText(error, words)).toBe(words.shell.serverTrouble);
  });

  it('a short text of a proxy is shown', () => {
    expect(errorText(new CallError(502, '502: upstream gone'), words)).toBe('502: upstream gone');
  });

  it.each([
    { what: 'a mistake of the app', error: new TypeError('undefined is not a function') },
    { what: 'an outcome not known', error: new UnsettledError(undefined) },
    { what: 'a text', error: 'thrown' },
    { what: 'nothing', error: undefined },
  ])('$what: the fallback, never its own words', ({ error }) => {
    expect(errorText(error, words)).toBe(words.shell.tryAgain);
    expect(errorText(error, words, 'Another')).toBe('Another');
  });
});

describe('a validation message', () => {
  it('is a key of the schemas or the server’s English sentence', () => {
    expect(validationSentence('phoneRequired', core)).toBe('Phone number is required');
    expect(validationSentence('phoneRequired', fil)).toBe(fil.validation.phoneRequired);
    expect(validationSentence('Phone number is required', fil)).toBe(fil.validation.phoneRequired);
  });

  it.each(['', 'constructor', 'A sentence of nobody'])('else stays as it is: "%s"', (message) => {
    for (const { words } of languages) expect(validationSentence(message, words)).toBe(message);
  });

  it('no two rules share a sentence, or its rule could not be told', () => {
    const sentences = Object.values(en.validation);
    expect(new Set(sentences).size).toBe(sentences.length);
  });
});
