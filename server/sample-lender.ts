import type { Lender } from '#contract/lender.ts';
import type { PaymentChannel } from '#domain/payment.ts';
import example from '#lender.example.json' with { type: 'json' };

const { logo: _, colour: __, ...facts } = example;

/** The example without its pictures and in the product's own colours. Every page says that it is a sample (§lender). */
export const sampleLender: Lender = {
  ...facts,
  messages: { ...facts.messages, codes: 'staff' },
  paymentAccounts: facts.paymentAccounts.map(({ qrImage: _, channel, ...account }) => ({
    ...account,
    channel: channel as Exclude<PaymentChannel, 'wallet'>,
  })),
  partnerBanks: facts.partnerBanks.map(({ name }) => ({ name })),
};
