import { readFileSync } from 'node:fs';

export type CaseEvent = {
  seq: number | string;
  kind: string;
  date: string;
  amount?: string;
  months?: number;
  channel?: string;
  settlement?: boolean;
  reverses?: number;
  auto?: boolean;
};

export type WorkedCase = {
  id: string;
  title: string;
  loan: { amount: string; termMonths: number; disbursedOn: string };
  events: CaseEvent[];
  checkpoints: {
    asOf: string;
    account: object;
    instalments: object[];
    receipts: object[];
    settlement?: object;
  }[];
  walletLedger: { type: string; amount: string; balanceAfter: string; ofEvent: number | string }[];
  journal: { ofEvent: number | string; lines: { account: string; debit: string; credit: string }[] }[];
};

export const { cases } = JSON.parse(
  readFileSync(new URL('../domain/servicing-cases.json', import.meta.url), 'utf8'),
) as { cases: WorkedCase[] };
