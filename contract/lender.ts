import * as z from 'zod/mini';
import type { ManilaDate } from '#domain/calendar.ts';
import { isGsmText } from '#domain/gsm.ts';
import { limits } from '#domain/limits.ts';
import { accountChannels } from '#domain/payment.ts';

const line = z.string().check(z.trim(), z.minLength(1), z.maxLength(300));
const shortListMax = 12;
const longListMax = 24;
const httpUrl = z.stringFormat('url', /^https?:\/\/[^\s"'<>]+$/);
const timeOfDay = z.stringFormat('time', /^([01]\d|2[0-3]):[0-5]\d$/, { abort: true });

const rule = (text: string) => ({ params: { rule: text } });
/** A gateway swallows a text that begins so. */
const notATest = z.refine<string>((text) => !/^test/i.test(text), rule('must not begin with "test"'));
const ofGsmLetters = z.refine<string>(
  isGsmText,
  rule('must have letters and signs of the GSM alphabet only'),
);
const noDoubles = z.refine<readonly number[]>(
  (days) => new Set(days).size === days.length,
  rule('must name each day once'),
);

/** A file name in the lender's folder; the server replaces it with the URL it serves it at. */
const picture = z.string().check(z.minLength(1));

/**
 * The lender running this installation (setting `LENDER_CONFIG`, §lender); `docs/lender.md` explains every
 * field. Fields added later are optional so that existing files stay valid; `npm run lender:check` lists what is missing.
 */
export const Lender = z.strictObject({
  isSample: z.boolean(),
  name: line,
  tradeName: z.optional(line.check(z.maxLength(60))),
  logo: z.optional(picture),
  /** Buttons, links and tints; `server/lender-colour.ts` derives both themes from it. */
  colour: z.optional(z.stringFormat('colour', /^#[\da-f]{6}$/i)),
  registrationNumber: line,
  certificateOfAuthorityNumber: z.optional(line),
  registrationDate: z.iso.date(),
  status: line,
  address: line,
  registryUrl: httpUrl,
  regulators: z
    .array(z.strictObject({ name: line, shortName: line, logo: z.optional(picture) }))
    .check(z.maxLength(shortListMax)),
  payoutChannels: z.array(line).check(z.minLength(1), z.maxLength(shortListMax)),
  /** The accounts that borrowers pay into, in the order in which they are offered. */
  paymentAccounts: z.optional(
    z
      .array(
        z.strictObject({
          channel: z.enum(accountChannels),
          name: line.check(z.maxLength(60)),
          accountName: line,
          accountNumber: line.check(z.maxLength(60)),
          qrImage: z.optional(picture),
          note: z.optional(line),
        }),
      )
      .check(z.maxLength(shortListMax)),
  ),
  partnerBanks: z
    .array(z.strictObject({ name: line, logo: z.optional(picture) }))
    .check(z.maxLength(longListMax)),
  supportPhone: line,
  supportEmail: line,
  supportHours: z.optional(line),
  /** An application is decided within so many working days (`addWorkingDays`); without it no day is promised. */
  decisionDays: z.optional(z.int().check(z.gte(1), z.lte(limits.decisionDaysMax))),
  /** When collectors may contact borrowers; no wider than 08:00 to 20:00. */
  contactHours: z.optional(
    z
      .strictObject({ from: timeOfDay, to: timeOfDay })
      .check(z.refine(({ from, to }) => from >= '08:00' && from < to && to <= '20:00')),
  ),
  /** Text messages and e-mail (§outbox). Without it each field has its default. */
  messages: z.optional(
    z.strictObject({
      /** How a message begins, and the number that it says to call. */
      name: z.optional(line.check(z.maxLength(limits.messageNameMaxLength), notATest, ofGsmLetters)),
      phone: z.optional(line.check(z.maxLength(limits.messagePhoneMaxLength), ofGsmLetters)),
      /** Days from an instalment's due date on which the borrower is reminded. */
      reminders: z.optional(
        z
          .array(z.int().check(z.gte(limits.reminderDayMin), z.lte(limits.reminderDayMax)))
          .check(z.maxLength(limits.remindersMax), noDoubles),
      ),
      /** The source of a borrower's code to withdraw. */
      codes: z.optional(z.enum(['staff', 'sms'])),
    }),
  ),
  dataProtectionOfficer: z.optional(z.strictObject({ name: line, email: line, phone: z.optional(line) })),
  branches: z.optional(
    z
      .array(z.strictObject({ name: line, address: line, hours: z.optional(line), phone: z.optional(line) }))
      .check(z.maxLength(longListMax)),
  ),
});
export type Lender = z.output<typeof Lender>;

/**
 * The facts that the server embeds in the app's page. `monthlyRate` is the add-on rate
 * in basis points a month.
 */
export type InstallationFacts = { lender: Lender; monthlyRate: number; demo?: DemoFacts };

/** An installation that began on another day than the machine's (`DEMO_DATE`): its clock is `aheadMs` ahead. */
export type DemoFacts = { startedOn: ManilaDate; aheadMs: number };
