import * as z from 'zod/mini';
import { limits } from '#domain/limits.ts';
import { needsReference, paymentChannels } from '#domain/payment.ts';
import { statementMatches } from '#domain/statement.ts';
import { plainNumber, plainText } from '#domain/text.ts';
import { day, numberText, pesosBetween, says } from './fields.ts';

/** Text that a bank printed, of any kind. The end of a very long one is dropped. */
const printed = (clean: (typed: string) => string) =>
  z.pipe(
    z.nullish(z.string(says('textUnreadable'))),
    z.transform((given) => clean((given ?? '').replace(/\p{Cc}|\p{Surrogate}/gu, ' ')).trim()),
  );

const line = z.object({
  date: day,
  amount: pesosBetween([1, says('amountRequired')], [limits.balanceMaxCentavos, says('amountTooLarge')]),
  reference: printed((typed) => plainNumber(typed).slice(0, limits.shortTextMaxLength)),
  text: printed((typed) => plainText(typed).slice(0, limits.longTextMaxLength)),
});

/** The credits of a statement of one of the lender's accounts. Money in cash or from wallets here is on none. */
export const StatementForm = z.object({
  channel: z
    .enum(paymentChannels, says('channelUnknown'))
    .check(z.refine(needsReference, says('channelUnknown'))),
  account: numberText({ min: 1, message: says('textTooShort') }),
  lines: z
    .array(line, says('statementLines'))
    .check(
      z.minLength(1, says('statementLines')),
      z.maxLength(limits.statementMaxLines, says('statementLines')),
    ),
});

/** `n` counts the lines from 1. */
export const StatementReply = z.object({
  id: z.number(),
  lines: z.array(
    z.object({
      n: z.number(),
      match: z.enum(statementMatches),
      paymentId: z.optional(z.number()),
      loanId: z.optional(z.number()),
      code: z.optional(z.enum(['amount_differs', 'several_candidates', 'reference_wanted'])),
    }),
  ),
  /** The loans that the lines name, each once: a person looks whose they are. */
  loans: z.array(z.object({ id: z.number(), loanNumber: z.string(), fullName: z.string() })),
});

const lineNumber = z
  .int(says('statementLines'))
  .check(z.gte(1, says('statementLines')), z.lte(limits.statementMaxLines, says('statementLines')));

export const StatementConfirmForm = z.object({
  lines: z
    .array(lineNumber, says('statementLines'))
    .check(
      z.minLength(1, says('statementLines')),
      z.maxLength(limits.statementMaxLines, says('statementLines')),
    ),
});

/** `code`: why a line was refused, as an error of the call that one would make by hand. */
export const StatementConfirmReply = z.array(
  z.object({
    n: z.number(),
    status: z.enum(['confirmed', 'waiting', 'known', 'refused']),
    code: z.optional(z.string()),
  }),
);
