import * as z from 'zod/mini';
import { type ManilaDate, parseManilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { type Centavos, parsePesos, pesosText } from '#domain/money.ts';
import { parseMonth } from '#domain/month.ts';
import { fixedPercentText } from '#domain/rates.ts';
import { hasLetterOrDigit, plainNumber, plainText, shownLength } from '#domain/text.ts';
import type { ValidationKey } from './wording/en.ts';

/**
 * A schema's message is a key of the wording's `validation` part: the server reports it in English, the web app in the
 * reader's language.
 */
export const says = (key: ValidationKey): ValidationKey => key;

/** PostgreSQL cannot store NUL, and a lone surrogate is not valid text: both are rejected before they reach SQL. */
const isStorableText = (text: string) => !text.includes('\u0000') && !/\p{Surrogate}/u.test(text);

type TextRule = { min?: number | undefined; max?: number | undefined; message: ValidationKey };

const written =
  (clean: (typed: string) => string, isFilled: (text: string) => boolean) =>
  ({ min = 0, max = limits.shortTextMaxLength, message }: TextRule) =>
    z.string(message).check(
      z.overwrite(clean),
      z.minLength(min, message),
      z.maxLength(max, says('textTooLong')),
      z.refine(isStorableText, says('textUnreadable')),
      // One message is enough if the length alone is too little.
      z.refine(
        (text) => text === '' || text.length < min || (isFilled(text) && shownLength(text) >= min),
        message,
      ),
    );

const trimmed = (typed: string) => plainText(typed).trim();

/**
 * Plain and trimmed (§text). Text that is too short, shows no letter or digit, or is not text at all gives the field's
 * own sentence (§profile-fields).
 */
export const text = written(trimmed, hasLetterOrDigit);

/** A number, account number, reference or code, however it was copied (§text). */
export const numberText = written(plainNumber, hasLetterOrDigit);

/** A reference that is kept for people to read and compared with nothing: any text, punctuation too. */
export const anyNumberText = written(plainNumber, () => true);

/** A search. It needs no letter or digit: a lone % is a search too. */
export const searchText = ({ min = 0, message }: TextRule) => written(trimmed, () => true)({ min, message });

/** A one-time code, without invisible marks that were copied along (§one-time-codes). */
export const sixDigits = (message: ValidationKey) =>
  [z.overwrite(plainText), z.regex(new RegExp(`^\\d{${limits.otpLength}}$`), message)] as const;

/** A password exactly as typed, without trimming. The maximum length bounds the cost of hashing. */
export const password = z
  .string(says('passwordTooShort'))
  .check(
    z.minLength(limits.passwordMinLength, says('passwordTooShort')),
    z.maxLength(limits.passwordMaxLength, says('textTooLong')),
    z.refine(isStorableText, says('textUnreadable')),
  );

/** One to be set: its characters are counted as it is compared (§passwords). */
export const newPassword = password.check(
  z.refine((typed) => typed.normalize('NFC').length >= limits.passwordMinLength, says('passwordTooShort')),
);

export const phone = numberText({ min: limits.phoneMinLength, message: says('phoneRequired') });

export const emailText = text({ message: says('emailInvalid') }).check(z.email(says('emailInvalid')));

const isBlank = (value: unknown) => typeof value === 'string' && trimmed(value) === '';

export const emptyAsNull = <Output, Input>(schema: z.ZodMiniType<Output, Input>) =>
  z.pipe(
    z.transform((value: Input | null) => (isBlank(value) ? null : value)) as unknown as z.ZodMiniType<
      Input | null,
      Input | null
    >,
    z.nullable(schema),
  );

export const email = emptyAsNull(emailText);

/** Empty text and null count as absent. */
export const optional = <Schema extends z.ZodMiniType<string, string>>(schema: Schema) =>
  z.optional(
    z.pipe(
      z.transform((value: string | null | undefined) =>
        value === null || isBlank(value) ? undefined : value,
      ),
      z.optional(schema),
    ),
  );

/** Pesos as a number or numeric text with at most two decimals, parsed to centavos (§money). */
export const pesos = (message: ValidationKey) =>
  z.pipe(
    z.union([z.number(), z.string().check(z.maxLength(limits.moneyTextMaxLength, message))], message),
    z.transform((value, context): Centavos => {
      const amount = parsePesos(typeof value === 'string' ? plainText(value) : value);
      if (amount !== undefined) return amount;
      const isTooFine = /^\d+\.\d{3,}$/.test(String(value));
      context.issues.push({
        code: 'custom',
        message: isTooFine ? says('twoDecimals') : message,
        input: value,
      });
      return z.NEVER;
    }),
  );

type Bound = readonly [limit: number, message: ValidationKey];

/** An amount in centavos. Text that is no amount gives the message of the lower bound. */
export const pesosBetween = (
  [min, tooLittle]: Bound,
  [max, tooMuch]: Bound = [Number.POSITIVE_INFINITY, tooLittle],
) =>
  pesos(tooLittle).check(
    z.refine((amount) => amount >= min, tooLittle),
    z.refine((amount) => amount <= max, tooMuch),
  );

/** A whole number, never coerced from text. */
export const wholeNumber = (message: ValidationKey, [min, tooSmall]: Bound, [max, tooLarge]: Bound) =>
  z.int(message).check(z.gte(min, tooSmall), z.lte(max, tooLarge));

export const parsed = <Value>(parse: (text: string) => Value | undefined, message: ValidationKey) =>
  z.pipe(
    z.string(message),
    z.transform((text, context): Value => {
      const value = parse(plainText(text));
      if (value !== undefined) return value;
      context.issues.push({ code: 'custom', message, input: text });
      return z.NEVER;
    }),
  );

/** A month in Manila as `YYYY-MM`. */
export const month = parsed(parseMonth, says('monthUnreadable'));

/** A day in Manila as `YYYY-MM-DD`. */
export const day = z.pipe(
  parsed((text) => parseManilaDate(plainNumber(text)), says('dateUnreadable')),
  z.custom<ManilaDate>((date) => String(date) >= limits.earliestDate, says('dateTooEarly')),
);

/** A positive integer that JavaScript holds exactly. */
const positive = (message?: ValidationKey) =>
  z.pipe(
    z.string().check(z.regex(/^[1-9]\d{0,15}$/, message)),
    z.transform((digits) => Number(digits)),
  );

/** The id in a path, where anything else is a 404. */
export const id = positive();

export const IdParams = z.object({ id });

export const idInQuery = positive(says('valueInvalid'));

/** The next page of a list, newest first: `before` is the id of the last row of the page before. */
export const PageQuery = z.object({ before: z.optional(idInQuery) });

/** A change has to name at least one of these fields. */
export const changesSome = <const Name extends string>(...names: Name[]) =>
  z.refine<{ readonly [Field in Name]?: unknown }>(
    (change) => names.some((name) => change[name] !== undefined),
    says('nothingToChange'),
  );

/** The language for replies that contain sentences; English by default. */
export const language = z.optional(z.enum(['en', 'fil'], says('languageUnknown')));

export const LanguageQuery = z.object({ lang: language });

/** Fields of one kind, to be spread into an object. */
export const each = <const Name extends string, Kind>(kind: Kind, ...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, kind])) as Record<Name, Kind>;

const sent = <Value, Wire>(
  value: z.ZodMiniType<Value>,
  write: (value: Value) => Wire,
  wire: z.ZodMiniType<Wire, Awaited<Wire>>,
) => z.pipe(z.pipe(value, z.transform(write)), wire) as z.ZodMiniType<Wire, Value>;

/** Centavos as `"150000.00"`. */
export const moneyReply = sent(
  z.custom<Centavos>((value) => Number.isSafeInteger(value)),
  pesosText,
  z.string(),
);

/** ISO 8601, UTC. */
export const momentReply = sent(z.date(), (moment) => moment.toISOString(), z.iso.datetime());

/** Six decimals: `"3.666672"` (§effective-rate). */
export const ratePercentReply = sent(z.number(), (percent) => fixedPercentText(percent, 6), z.string());

/** Basis points as percent: 250 is `2.5`. */
export const monthlyRateReply = sent(z.number(), (basisPoints) => basisPoints / 100, z.number());

export const MessageReply = z.object({ message: z.string() });
