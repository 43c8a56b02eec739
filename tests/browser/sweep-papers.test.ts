import type { Page } from 'playwright-core';
import type { Wording } from '#contract/wording/en.ts';
import { applicant, takeOverLoan } from '#tests/api/lending.ts';
import { standingServer } from '#tests/setup/web-server.ts';
import { breakDown, holdBack, outOfReach } from './screen.ts';
import { alter, keepToast, press, type State, sweep } from './sweep.ts';

const { server, browser } = await standingServer();

const newcomer = await server.registerBorrower();

const { borrower, loan } = await applicant(
  server,
  {
    amount: 2_000_000,
    termMonths: 48,
    purpose: 'Purposeful'.repeat(50),
  },
  { address: 'Longstreetname'.repeat(20) },
);

for (const termMonths of [6, 60]) {
  await server.main.updateLoan(loan.id, { termMonths });
}

const takenOver = await server.registerBorrower();
await takeOverLoan(server, takenOver.id);

const loans = '**/api/loans/user';
const contract = '**/api/loans/*/contract?*';
const schedule = '**/api/loans/*/schedule';

type Paper = 'contract' | 'schedule';

/** One of the two papers, opened from the profile. */
const paper = (
  which: Paper,
  name: string,
  { who = borrower, ...rest }: Partial<State> & Pick<State, 'shows'>,
) => ({
  path: '/profile',
  steps: (page: Page, { papers }: Wording) => press(page, papers[which]),
  ...rest,
  name: `the ${which}: ${name}`,
  who,
});

const both = (name: string, stateOf: (which: Paper) => Partial<State> & Pick<State, 'shows'>): State[] =>
  (['contract', 'schedule'] as const).map((which) => paper(which, name, stateOf(which)));

const addresses = { contract, schedule };
const failed = ({ papers }: Wording, which: Paper) =>
  which === 'contract' ? papers.contractFailed : papers.scheduleFailed;

sweep(browser, [
  ...both('loading', (which) => ({
    before: (page) => holdBack(page, addresses[which]),
    steps: async (page, { papers }) => {
      await press(page, papers[which]);
      await page.getByRole('dialog', { name: papers[which] }).waitFor();
    },
    shows: ({ shell }) => shell.loading,
  })),
  ...both('out of reach', (which) => ({
    expects: [outOfReach],
    before: (page) => breakDown(page, addresses[which]),
    shows: (words) => failed(words, which),
  })),
  paper('contract', 'nobody knows whether there is a loan', {
    expects: [outOfReach],
    before: (page) => breakDown(page, loans),
    shows: ({ papers }) => papers.contractFailed,
  }),
  paper('contract', 'no loan', { who: newcomer, shows: ({ papers }) => papers.noLoanText }),
  paper('contract', 'none for this loan', {
    who: takenOver,
    expects: [/status of 404/],
    shows: ({ papers }) => papers.noContractText,
  }),
  paper('schedule', 'none for this loan', {
    before: (page) => alter(page, schedule, () => []),
    shows: ({ papers }) => papers.noScheduleText,
  }),
  paper('contract', 'the third version of sixty instalments', {
    shows: ({ papers }) => papers.downloadVersion(2),
  }),
  paper('contract', 'the only version', {
    before: (page) =>
      alter<{ versions: object[] }>(page, contract, (read) => ({
        ...read,
        versions: read.versions.slice(-1),
      })),
    shows: ({ papers }) => papers.download,
  }),
  paper('schedule', 'sixty instalments', { shows: ({ papers }) => papers.toCalendar }),
  paper('schedule', 'one instalment', {
    before: (page) => alter<object[]>(page, schedule, (rows) => rows.slice(0, 1)),
    shows: ({ papers }) => papers.toCalendar,
  }),
  paper('schedule', 'being fetched as a file', {
    before: (page) => holdBack(page, '**/schedule.ics*'),
    steps: async (page, { papers }) => {
      await press(page, papers.schedule);
      await press(page, papers.toCalendar);
    },
    shows: ({ papers }) => papers.preparingFile,
  }),
  paper('schedule', 'cannot be fetched as a file', {
    expects: [outOfReach],
    before: (page) => breakDown(page, '**/schedule.ics*'),
    steps: async (page, { papers }) => {
      await press(page, papers.schedule);
      await press(page, papers.toCalendar);
      await keepToast(page, papers.downloadFailed);
    },
    shows: ({ papers }) => papers.downloadFailed,
  }),
]);
