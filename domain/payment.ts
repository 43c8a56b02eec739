import { limits } from './limits.ts';
import { digitsByValue } from './text.ts';

/**
 * `way`: the tab of *How to pay*. `hasReference`: the transfer has a number elsewhere. `countsAtOnce`: nobody has to
 * confirm the payment, because the money is in the drawer or was in the wallet. `maxCentavos`: the most of one payment.
 */
type ChannelFacts = {
  way: 'wallet' | 'bank' | 'cash';
  hasReference: boolean;
  countsAtOnce: boolean;
  maxCentavos?: number;
};

const channelFacts = {
  cash: { way: 'cash', hasReference: false, countsAtOnce: true },
  bank_transfer: { way: 'bank', hasReference: true, countsAtOnce: false },
  instapay: { way: 'bank', hasReference: true, countsAtOnce: false, maxCentavos: limits.instapayMaxCentavos },
  pesonet: { way: 'bank', hasReference: true, countsAtOnce: false },
  gcash: { way: 'wallet', hasReference: true, countsAtOnce: false },
  maya: { way: 'wallet', hasReference: true, countsAtOnce: false },
  cheque: { way: 'bank', hasReference: true, countsAtOnce: false },
  wallet: { way: 'wallet', hasReference: false, countsAtOnce: true },
} satisfies Record<string, ChannelFacts>;

export type PaymentChannel = keyof typeof channelFacts;

export const paymentChannels = Object.keys(channelFacts) as PaymentChannel[];

/**
 * The channels in which a lender may have an account, and in which a borrower may say that they have paid.
 */
export const accountChannels = paymentChannels.filter((channel) => channel !== 'wallet');

const factsOf = (channel: PaymentChannel): ChannelFacts => channelFacts[channel];

export const wayOf = (channel: PaymentChannel): ChannelFacts['way'] => factsOf(channel).way;
export const needsReference = (channel: PaymentChannel): boolean => factsOf(channel).hasReference;
export const countsAtOnce = (channel: PaymentChannel): boolean => factsOf(channel).countsAtOnce;
export const channelMaxCentavos = (channel: PaymentChannel): number =>
  factsOf(channel).maxCentavos ?? Number.POSITIVE_INFINITY;

/** `submitted` waits for confirmation; `reversed` keeps its receipt number, marked. */
export const paymentStatuses = ['submitted', 'confirmed', 'rejected', 'reversed', 'withdrawn'] as const;

export const decidedPaymentStatuses = ['confirmed', 'rejected', 'reversed'] as const;

/** Payments of other statuses never count. */
export const livePaymentStatuses = ['submitted', 'confirmed'] as const satisfies readonly PaymentStatus[];

export const isLive = (status: PaymentStatus): boolean =>
  (livePaymentStatuses as readonly string[]).includes(status);

export type PaymentStatus = (typeof paymentStatuses)[number];

/** The reason of a reversal that is given for a cheque which the bank returned. The borrower reads other words then. */
export const bouncedReason = 'bounced';

/**
 * A reference as compared: letters without accents, digits by value in whatever script. Banks print the same reference
 * with and without spaces and dashes. Letters other than A to Z are left as they are.
 */
export function referenceKey(reference: string): string {
  return digitsByValue(reference.normalize('NFKD'))
    .toUpperCase()
    .replace(/[\p{M}\p{P}\p{Z}\p{Cc}\p{Cf}\p{Sc}\p{Sk}\p{Sm}]/gu, '');
}

/**
 * True if the key has only characters that banks print. A letter of another script may look like one of them.
 */
export const isPlainReferenceKey = (key: string): boolean => /^[A-Z0-9]*$/.test(key);
