import type { Lender } from '#contract/lender.ts';
import example from '#lender.example.json' with { type: 'json' };

const { logo: _, ...facts } = example;

/** The example without its pictures, which lie beside the file. Openly a sample, as every page says (§lender). */
export const sampleLender: Lender = {
  ...facts,
  partnerBanks: facts.partnerBanks.map(({ name }) => ({ name })),
};
