import { createElement } from 'react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { en, type Wording } from '#contract/wording/en.ts';
import { core } from '#contract/wording/en-sign-in.ts';
import { fil } from '#contract/wording/fil.ts';
import { useAccountWords } from '#web/lib/all-words.ts';
import { useWords } from '#web/lib/home-words.ts';
import {
  currentWords,
  EnglishOnly,
  LanguageProvider,
  useCoreWords,
  useLanguage,
} from '#web/lib/language.tsx';
import { languageKey, writeStored } from '#web/lib/stored-value.ts';
import { standInBrowser } from './browser-stand-in.ts';
import { runHook } from './hook.ts';
import { saidOf, type Words, wordsByPath } from './wording.ts';

const browser = standInBrowser();

/** Without what only staff can send or meet, which `error-text.test.ts` tells apart. */
const english = wordsByPath({
  ...en,
  validation: core.validation,
  errors: Object.fromEntries(Object.entries(en.errors).filter(([code]) => Object.hasOwn(fil.errors, code))),
});
const filipino = wordsByPath(fil);
const wordOf = (wording: Map<string, Words>, path: string) => saidOf(wording.get(path) ?? '');

/**
 * Words that stay the same on purpose: names, numbers with their signs, and what people who bank in the Philippines say
 * in English.
 */
const sameOnPurpose = [
  'carousel.goTo',
  'carousel.role',
  'carousel.slideRole',
  'company.address',
  'company.status',
  'converter.live',
  'converter.names.EUR',
  'converter.rate',
  'dashboard.greeting',
  'dashboard.loanNumber',
  'dashboard.reasonText',
  'landing.cost.range',
  'landing.headlineAmount',
  'lender.authority',
  'lender.officer',
  'lender.registration',
  'loanStatus.words.pending',
  'messages.memberStatus.pending',
  'myLoan.channels.bank_transfer',
  'myLoan.channels.cash',
  'myLoan.channels.gcash',
  'myLoan.channels.instapay',
  'myLoan.channels.maya',
  'myLoan.channels.pesonet',
  'myLoan.split.columns.principal',
  'myLoan.split.principal',
  'myLoan.statement',
  'myLoan.which',
  'notFound.code',
  'papers.dueDate',
  'papers.rowStatuses.pending',
  'pay.accountNumber',
  'pay.groups.cash',
  'pay.referenceNumber',
  'payment.clearance',
  'profile.account',
  'profile.credit',
  'reach.code',
  'reach.email.label',
  'reach.phone.label',
  'session.password',
  'shell.dashboard',
  'shell.english',
  'shell.filipino',
  'shell.home',
  'shell.menu',
  'shell.profile',
  'shell.tabHome',
  'shell.tabProfile',
  'shell.tabWallet',
  'shell.wallet',
  'verification.pieces.address',
  'verification.pieces.bankAccountNumber',
  'verification.pieces.email',
  'verification.pieces.selfieUrl',
  'withdrawal.code',
  'withdrawal.statuses.pending',
];

describe('the Filipino wording', () => {
  it('has every word of the English one and no other', () => {
    expect([...filipino.keys()].sort()).toEqual([...english.keys()].sort());
  });

  it('is translated, except for what stays English on purpose', () => {
    const same = [...english.keys()].filter((path) => wordOf(english, path) === wordOf(filipino, path));
    expect(same.sort()).toEqual(sameOnPurpose);
  });

  it('takes the same values as the English, and mentions all of them', () => {
    for (const path of english.keys()) {
      const [inEnglish, inFilipino] = [english.get(path), filipino.get(path)];
      expect(typeof inFilipino, path).toBe(typeof inEnglish);
      const mentions = (said: string) => [...new Set(said.match(/«[^»]+»/g))].sort();
      expect(mentions(wordOf(filipino, path)), path).toEqual(mentions(wordOf(english, path)));
    }
  });

  it('states the same numbers', () => {
    const numbers = (said: string) =>
      said
        .replace(/«[^»]+»/g, '')
        .match(/\d[\d,.]*\d|\d/g)
        ?.sort() ?? [];
    for (const path of english.keys()) {
      expect(numbers(wordOf(filipino, path)), path).toEqual(numbers(wordOf(english, path)));
    }
  });

  it('is not empty, has no stray space and no straight apostrophe within a word', () => {
    for (const [path, words] of filipino) {
      const said = saidOf(words);
      expect(said.trim(), path).not.toBe('');
      expect(said, path).toBe(said.trim().replace(/ {2,}/g, ' '));
      expect(said, path).not.toMatch(/\p{L}'\p{L}/u);
    }
  });

  it('has its own way of counting', () => {
    expect([en, fil].map(({ verification }) => verification.answers(1).split(':')[0])).toEqual([
      '1 short answer',
      'isang maikling sagot',
    ]);
    const startDate = '1 Dec 2026';
    expect(en.contractText.firstPayment({ startDate })).toContain('First payment: two months after');
    expect(fil.contractText.firstPayment({ startDate })).toContain('Unang bayad: dalawang buwan matapos');
  });
});

/** Opens a page of the borrower's app, in the language that this browser has stored. */
function openPage(language?: 'en' | 'fil') {
  if (language) browser.stored.set('language', language);
  return runHook(
    () => {
      const { language, setLanguage } = useLanguage();
      const { shell } = useCoreWords();
      const { dashboard } = useWords();
      const { wallet } = useAccountWords();
      return { language, setLanguage, read: [shell.logout, dashboard.noLoan, wallet.balance] };
    },
    (children) => createElement(LanguageProvider, null, children),
  );
}

const readIn = ({ shell, dashboard, wallet }: Wording) => [shell.logout, dashboard.noLoan, wallet.balance];

describe('choosing a language', () => {
  it('starts in English, with nothing stored', () => {
    const { language, read } = openPage().now();
    expect([language, browser.root.lang]).toEqual(['en', 'en']);
    expect(read).toEqual(readIn(en));
    expect(browser.stored.size).toBe(0);
  });

  it('is kept for the next visit, and the words change at once, outside React too', async () => {
    const page = openPage();
    await page.now().setLanguage('fil');
    await expect.poll(() => page.now().language).toBe('fil');
    expect(page.now().read).toEqual(readIn(fil));
    await expect.poll(() => browser.root.lang).toBe('fil');
    expect(currentWords()).toBe(fil);
    expect(browser.stored.get('language')).toBe('fil');
    expect(openPage().now().read).toEqual(readIn(fil));
    await page.now().setLanguage('en');
    await expect.poll(() => page.now().language).toBe('en');
    expect(page.now().read).toEqual(readIn(en));
    await expect.poll(() => currentWords()).toBe(core);
    expect(browser.stored.get('language')).toBe('en');
  });

  it('keeps the latest choice when the words of an earlier one arrive later', async () => {
    vi.resetModules();
    const fresh = await import('#web/lib/language.tsx');
    const page = runHook(fresh.useLanguage, (children) =>
      createElement(fresh.LanguageProvider, null, children),
    );
    const { setLanguage } = page.now();
    await Promise.all([setLanguage('fil'), setLanguage('en')]);
    expect(browser.stored.get('language')).toBe('en');
    await expect.poll(() => page.now().language).toBe('en');
    expect(page.drawn.map(({ language }) => language)).not.toContain('fil');
  });

  it('renders nothing until the stored language is there', async () => {
    vi.resetModules();
    const fresh = await import('#web/lib/language.tsx');
    browser.stored.set('language', 'fil');
    const { drawn } = runHook(fresh.useLanguage, (children) =>
      createElement(fresh.LanguageProvider, null, children),
    );
    expect(drawn).toEqual([]);
    await expect.poll(() => drawn.map(({ language }) => language)).toEqual(['fil']);
  });

  it('an unknown language in the storage is English', () => {
    browser.stored.set('language', 'xx');
    expect(openPage().now().read).toEqual(readIn(en));
  });

  it('works where storage is forbidden', async () => {
    const forbidden = () => {
      throw new DOMException('no storage', 'SecurityError');
    };
    const { localStorage } = globalThis;
    vi.stubGlobal('localStorage', { getItem: forbidden, setItem: forbidden });
    onTestFinished(() => {
      vi.stubGlobal('localStorage', localStorage);
      writeStored(languageKey, undefined);
    });
    const page = openPage();
    await page.now().setLanguage('fil');
    await expect.poll(() => page.now().read).toEqual(readIn(fil));
    await page.now().setLanguage('en');
  });

  it('the panel stays English, and restores the page’s language when it closes', async () => {
    const page = openPage('fil');
    await expect.poll(() => page.now().language).toBe('fil');
    const panel = runHook(useCoreWords, (children) =>
      createElement(LanguageProvider, null, createElement(EnglishOnly, null, children)),
    );
    expect(panel.now()).toBe(core);
    expect(browser.root.lang).toBe('en');
    panel.unmount();
    expect(browser.root.lang).toBe('fil');
  });
});

it('links a number that ends in apat, anim or siyam to what it counts', () => {
  const loan = { amount: '₱350,000', monthly: '₱18,472.22', months: 36 };
  expect(fil.dashboard.example(loan)).toContain('sa loob ng 36 na\u00a0buwan,');
  expect(fil.quote.spoken({ ...loan, months: 24 })).toContain('sa loob ng 24 na buwan');
  expect(fil.quote.spoken({ ...loan, months: 12 })).toContain('sa loob ng 12 buwan');
});
