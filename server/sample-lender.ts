import type { Lender } from '#contract/lender.ts';
import example from '#lender.example.json' with { type: 'json' };

const { logo: _, ...facts } = example;

/** The example without its pictures. Every page says that it is a sample (§lender). */
export const sampleLender: Lender = {
  ...facts,
  partnerBanks: facts.partnerBanks.map(({ name }) => ({ name })),
};
