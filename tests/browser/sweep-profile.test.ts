import type { Page } from 'playwright-core';
import { describe } from 'vitest';
import { photo } from '#tests/setup/photo.ts';
import { standingServer } from '#tests/setup/web-server.ts';
import { breakDown, field, holdBack, outOfReach } from './screen.ts';
import { alter, keepToast, press, type State, sweep } from './sweep.ts';

const { server, browser } = await standingServer();

const newcomer = await server.registerBorrower();
const borrower = await server.verifiedBorrower();

const longest = await server.verifiedBorrower({
  fullName: `Maria Clara ${'Magdalenasantos'.repeat(5)} de la Cruz`,
  email: `${'luningning'.repeat(6)}@${'example'.repeat(6)}.com`,
  address: 'Longstreetname'.repeat(20),
  countryOfWork: 'United Kingdom of Great Britain and Northern Ireland',
  monthlySalary: '999999999.99',
  referenceName: 'Magdalenasantos'.repeat(5),
  referencePhone: '+63 918 123 4567 000 1112223',
  bankName: 'Longbankname'.repeat(5),
  bankAccountNumber: '1234567890'.repeat(4),
});
await server.main.updateMember(longest.id, { creditScore: 300 });

const path = '/profile';
const profile = '**/api/user/profile';
const photos = '**/api/files/*';
const upload = '**/api/upload';

const states = (
  who: State['who'],
  table: Record<string, Omit<State, 'name' | 'path' | 'who'> & { path?: string }>,
) => Object.entries(table).map(([name, rest]) => ({ name, path, who, ...rest }));

async function choosePhoto(page: Page, name: string): Promise<void> {
  const input = field(page, name);
  await input.setInputFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: await photo() });
}

const whole = [
  ...states(newcomer, { 'nothing given yet': { shows: ({ verification }) => verification.notVerified } }),
  ...states(borrower, { 'everything given': { shows: ({ verification }) => verification.verified } }),
  ...states(longest, {
    'the longest of everything': {
      steps: (page, words) => press(page, words.profile.showNumber),
      shows: ({ profile: words }) => words.hideNumber,
    },
    'a password that staff set': {
      before: (page) => alter<object>(page, profile, (user) => ({ ...user, mustChangePassword: true })),
      shows: ({ profile: words }) => words.passwordIssued,
    },
  }),
];

const documents = [
  ...states(borrower, {
    loading: { before: (page) => holdBack(page, photos), shows: ({ documents: words }) => words.title },
    'out of reach': {
      expects: [outOfReach],
      before: (page) => breakDown(page, photos),
      shows: ({ documents: words }) => words.loadFailed,
    },
    'one in large': {
      steps: async (page, { documents: words }) => {
        await press(page, words.open.selfieUrl);
        await page.getByRole('dialog').getByRole('img').waitFor();
      },
      shows: ({ verification }) => verification.pieces.selfieUrl,
    },
    'read again': {
      steps: async (page, { documents: words }) => {
        await press(page, words.refresh);
        await keepToast(page, words.refreshed);
      },
      shows: ({ documents: words }) => words.refreshed,
    },
  }),
  ...states(newcomer, {
    'on its way': {
      before: (page) => holdBack(page, upload),
      steps: (page, { verification }) => choosePhoto(page, verification.pieces.selfieUrl),
      shows: ({ shell }) => shell.cancel,
    },
    'not sent': {
      expects: [outOfReach],
      before: (page) => breakDown(page, upload),
      steps: async (page, { shell, verification }) => {
        await choosePhoto(page, verification.pieces.selfieUrl);
        await keepToast(page, shell.uploadFailed);
      },
      shows: ({ shell }) => shell.retry,
    },
  }),
];

const dialogs = [
  ...states(newcomer, {
    'to fill in': {
      steps: (page, words) => press(page, words.profile.edit),
      shows: ({ profile: words }) => words.groups.bank.title,
    },
    'with everything wrong': {
      steps: async (page, words) => {
        await press(page, words.profile.edit);
        await field(page, words.verification.pieces.fullName).fill('');
        await field(page, words.verification.pieces.email).fill('me@home');
        await press(page, words.profile.save);
      },
      shows: ({ validation }) => validation.bankAccountNumberRequired,
    },
    'to read, and empty': {
      steps: (page, words) => press(page, words.profile.view),
      shows: ({ profile: words }) => words.memberSince,
    },
    'a new password, not as long as it must be': {
      path: '/account',
      steps: async (page, words) => {
        await press(page, words.profile.changePassword);
        await press(page, words.session.savePassword);
      },
      shows: ({ profile: words }) => words.passwordWhy,
    },
    'a new password with the wrong old one': {
      path: '/account',
      expects: [/status of 400/],
      steps: async (page, { profile: words, session, shell }) => {
        await press(page, words.changePassword);
        await field(page, session.currentPassword).fill('not this one');
        await field(page, session.newPassword).fill('bagong password');
        await press(page, session.savePassword);
        await keepToast(page, shell.updateFailed);
      },
      shows: ({ errors }) => errors.wrong_password,
    },
  }),
  ...states(longest, {
    'to change': {
      steps: (page, words) => press(page, words.profile.edit),
      shows: ({ profile: words }) => words.groups.bank.title,
    },
    'to read': {
      steps: async (page, words) => {
        await press(page, words.profile.view);
        await press(page.getByRole('dialog'), words.profile.showNumber);
      },
      shows: ({ profile: words }) => words.memberSince,
    },
    'while it is saved': {
      steps: async (page, words) => {
        await press(page, words.profile.edit);
        await holdBack(page, profile);
        await press(page, words.profile.save);
      },
      shows: ({ session }) => session.pleaseWait,
    },
  }),
];

describe('the profile', () => sweep(browser, whole));
describe('the documents', () => sweep(browser, documents));
describe('personal information', () => sweep(browser, dialogs));
