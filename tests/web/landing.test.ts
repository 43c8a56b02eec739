import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Lender } from '#contract/lender.ts';
import { en, type Wording } from '#contract/wording/en.ts';
import { fil } from '#contract/wording/fil.ts';
import type { ManilaDate } from '#domain/calendar.ts';
import { basisPoints } from '#domain/rates.ts';
import { sampleLender } from '#server/sample-lender.ts';
import { startTestServer, type TestServer, testServer } from '#tests/setup/test-server.ts';
import { rememberLanguage } from '#web/landing/remember-language.ts';
import { renderLanding } from '#web/landing/render-landing.tsx';
import { showPeso } from '#web/lib/format.ts';

const server = await testServer();

const assets = {
  styles: '.a{color:red}',
  scripts: ['/assets/a.js'],
  signInScripts: { en: ['/assets/b.js'], fil: ['/assets/b.js', '/assets/c.js'] },
};
const render = (changed: Partial<Parameters<typeof renderLanding>[0]> = {}) =>
  renderLanding({ lender: sampleLender, language: 'en', assets, monthlyRate: 250, ...changed });

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };
const unescaped = (text: string) =>
  text.replace(/&([#\w]+);/g, (whole, name: string) => entities[name] ?? whole);

/** Returns what a reader sees of a piece of HTML. */
const textOf = (html: string) =>
  unescaped(
    html
      .replace(/<(style|title)[\s\S]*?<\/\1>/g, '')
      .replace(/<\/?(span|wbr)\b[^>]*>/g, '')
      .replace(/<[^>]*>/g, '\n')
      .replace(/\n{2,}/g, '\n'),
  );

const attribute = (tag: string, name: string) =>
  unescaped(new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '');

/** Every link by its text, in the page's order. */
const linksOf = (html: string) =>
  [...html.matchAll(/(<a [^>]*>)([\s\S]*?)<\/a>/g)].map(([, tag = '', inside = '']) => ({
    name: textOf(inside).trim().replaceAll('\n', ' '),
    href: attribute(tag, 'href'),
  }));

const withoutScriptOf = (html: string) => /<noscript>([\s\S]*?)<\/noscript>/.exec(html)?.[1] ?? '';

describe('the landing page', () => {
  it.each([
    { language: 'en', words: en },
    { language: 'fil', words: fil },
  ] as const)('leads to registration and sign-in, in $language', ({ language, words }) => {
    const { landing, lender, shell } = words;
    const register = '/app-login?register=true';
    expect(linksOf(render({ language }))).toEqual([
      { name: shell.skipToContent, href: '#main' },
      { name: 'Hiram', href: '/' },
      { name: landing.login, href: '/app-login' },
      { name: shell.home, href: '/' },
      { name: shell.dashboard, href: '/loan-app' },
      { name: shell.myLoan, href: '/my-loan' },
      { name: shell.wallet, href: '/wallet' },
      { name: shell.profile, href: '/profile' },
      { name: shell.help, href: '/help' },
      { name: shell.login, href: '/app-login' },
      { name: landing.register, href: register },
      { name: landing.login, href: '/app-login' },
      { name: landing.cost.request, href: register },
      { name: lender.checkWithRegulator, href: sampleLender.registryUrl },
      { name: '+63 900 000 0000', href: 'tel:+639000000000' },
      { name: 'support@lender.example', href: 'mailto:support@lender.example' },
      { name: shell.tabHome, href: '/loan-app' },
      { name: shell.tabWallet, href: '/wallet' },
      { name: shell.tabProfile, href: '/profile' },
    ]);
  });

  it('opens the registry in a new view without access to this one', () => {
    const link = /<a [^>]*lender-registry[^>]*>/.exec(render())?.[0] ?? '';
    expect([attribute(link, 'target'), attribute(link, 'rel')]).toEqual(['_blank', 'noreferrer']);
  });

  it('shows everything it should, in this order', () => {
    const text = textOf(render());
    const parts = [
      'Sample lender, not a licensed company',
      'Borrow up to',
      '₱2,000,000',
      'Register',
      'New client',
      '₱150,000 – ₱2,000,000',
      'Request now',
      'Flexible time management',
      'No processing fees',
      'Online and walk-in process',
      'Installments or all at once',
      'Fast Cash Loans',
      'Digital Lending',
      'Flexible Terms',
      'Mobile wallet A',
      'Mobile wallet B',
      'Bank Transfer',
      'Hiram Lending Corporation (sample)',
      'SEC Registration No. CS-SAMPLE-0000',
      'Certificate of Authority No. CA-SAMPLE-0000',
      '14 Nov 2014',
      'Nueva Ecija',
      'Study the terms and conditions in the Disclosure Statement before you proceed with a loan.',
      'Monday to Friday, 8:00 to 17:00',
      'Data Protection Officer (sample)',
      'Gapan branch (sample)',
    ];
    let from = 0;
    for (const part of parts) {
      const at = text.indexOf(part, from);
      expect(at, part).toBeGreaterThanOrEqual(from);
      from = at;
    }
  });

  it('in Filipino holds no English sentence', () => {
    const text = textOf(render({ language: 'fil' }));
    expect(text).toContain('14 Nob 2014');
    const sentences = (wording: Wording) => [
      ...Object.values(wording.landing).filter((said) => typeof said === 'string'),
      ...Object.values(wording.landing.promises).flatMap((promise) => Object.values(promise)),
      ...Object.values(wording.carousel.slides).flatMap((slide) => Object.values(slide)),
      wording.shell.sampleRibbon,
      wording.landing.cost.title,
      wording.landing.cost.note,
    ];
    const [english, filipino] = [sentences(en), sentences(fil)];
    for (const [index, sentence] of english.entries()) {
      if (sentence !== filipino[index] && sentence.length > 9) expect(text).not.toContain(sentence);
    }
    expect(text).toContain(fil.landing.lead);
    expect(text).toContain(fil.landing.cost.note);
  });

  it.each([
    { language: 'en', other: 'fil' },
    { language: 'fil', other: 'en' },
  ] as const)('is marked as $language, and offers $other', ({ language, other }) => {
    const html = render({ language });
    expect(html).toMatch(new RegExp(`^<!doctype html><html lang="${language}">`));
    const offers = [...html.matchAll(/<button[^>]*\bname="lang"[^>]*>/g)].map(([button]) => ({
      value: attribute(button, 'value'),
      isChosen: attribute(button, 'aria-pressed'),
    }));
    expect(offers).toContainEqual({ value: language, isChosen: 'true' });
    expect(offers).toContainEqual({ value: other, isChosen: 'false' });
  });

  it('has the style sheet in it, and names the files of the build, each once', () => {
    const html = render();
    for (const file of ['<style>.a{color:red}</style>', '/assets/a.js']) {
      expect(html.split(file), file).toHaveLength(2);
    }
  });

  it.each([
    {
      language: 'en',
      ribbon: 'Sample lender, not a licensed company · Demo calendar, started on 1 Feb 2027',
    },
    {
      language: 'fil',
      ribbon: 'Pang-demo lang, hindi lisensyadong kumpanya · Demo na kalendaryo, nagsimula noong 1 Peb 2027',
    },
  ] as const)('says in $language that its calendar is a demo', ({ language, ribbon }) => {
    const demo = { startedOn: '2027-02-01' as ManilaDate, aheadMs: 0 };
    expect(textOf(render({ language, demo }))).toContain(ribbon);
    expect(textOf(render({ language }))).not.toMatch(/demo (?:calendar|na kalendaryo)/i);
  });

  it('shows a real lender’s licence before anything is asked of anybody, and the sample’s never', () => {
    const hero = (isSample: boolean) => {
      const text = textOf(render({ lender: { ...sampleLender, isSample } }));
      return text.slice(0, text.indexOf('Months to repay'));
    };
    expect(hero(false)).toMatch(/SEC Registration No. CS-SAMPLE-0000.*Certificate of Authority No/s);
    expect(hero(false)).toContain('Check with the regulator');
    expect(hero(true)).not.toMatch(/SEC Registration|Certificate of Authority|regulator/);
  });

  it('shows no ribbon for a real lender', () => {
    const html = render({ lender: { ...sampleLender, isSample: false } });
    expect(html).not.toContain('Sample lender');
    expect(html).not.toContain('has-ribbon');
  });
});

describe('a lender of its own', () => {
  const {
    tradeName,
    certificateOfAuthorityNumber,
    supportHours,
    dataProtectionOfficer,
    branches,
    ...before
  } = sampleLender;
  const own = { ...before, isSample: false, name: 'Santos Lending Corporation' };
  const titleOf = (html: string) => /<title>(.*?)<\/title>/.exec(html)?.[1];
  const headed = (html: string) => linksOf(html).find(({ href }) => href === '/')?.name;

  it('is headed by its trade name and logo', () => {
    const html = render({ lender: { ...own, tradeName: 'Santos Pautang', logo: '/lender/0a.png' } });
    expect([headed(html), titleOf(html)]).toEqual([
      'Santos Pautang',
      expect.stringMatching(/^Santos Pautang: /),
    ]);
    expect(html).toMatch(/<header.*<img src="\/lender\/0a\.png" alt=""/s);
    expect(html).toContain('<link rel="icon" href="/lender/0a.png"/>');
    expect(textOf(html)).not.toContain('Hiram');
  });

  it('with only the older fields is headed by its name, and leaves no gap for absent facts', () => {
    const html = render({ lender: own });
    expect([headed(html), titleOf(html)]).toEqual([own.name, expect.stringMatching(/^Santos Lending Corp/)]);
    expect(textOf(html)).not.toMatch(/undefined|Certificate of Authority|Branches|Data protection/);
  });
});

describe('without script', () => {
  it('everything works: the only script is a file, and no tag has a handler', () => {
    const html = render();
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).toContain('<script type="module" src="/assets/a.js"></script>');
    expect(html).not.toMatch(/\son\w+=/);
  });

  it('what needs it is hidden, and the language can be chosen', () => {
    const html = render();
    const buttons = html.match(/<button[^>]*>/g) ?? [];
    const working = buttons.filter((tag) => !/\bhidden=""/.test(tag));
    const dots = working.filter((tag) => tag.includes('data-dot'));
    expect(dots).toHaveLength(3);
    const dotRow = /<div[^>]*data-dots[^>]*>/.exec(render())?.[0];
    expect(dotRow).toContain('hidden=""');
    const others = working.filter((tag) => !dots.includes(tag));
    expect(others.map((tag) => attribute(tag, 'popoverTarget') || attribute(tag, 'value'))).toEqual([
      'languages',
      'en',
      'fil',
      'menu',
      'menu',
      '',
    ]);
    // Logging out is offered by the script alone.
    expect(html).toMatch(/<li[^>]*hidden=""[^>]*><button[^>]*data-sign-out/);
    for (const tag of others.slice(1, 3))
      expect([attribute(tag, 'type'), attribute(tag, 'name')]).toEqual(['submit', 'lang']);
    const menu = /<form id="languages"[^>]*>/.exec(render())?.[0] ?? '';
    expect([attribute(menu, 'popover'), attribute(menu, 'action')]).toEqual(['auto', '/']);
  });

  it('sample loans replace the calculator', () => {
    const html = withoutScriptOf(render());
    expect(html).toContain('<style>[data-calculator]>:not(a){display:none}</style>');
    expect(textOf(html)).toContain('₱150,000 over 12 months');
    expect(textOf(html)).toContain('₱2,000,000 over 48 months');
  });
});

describe('the figures', () => {
  let dearer: TestServer;
  beforeAll(async () => {
    dearer = await startTestServer({
      config: { loanMonthlyRate: basisPoints(375) },
      deps: { database: server.database },
    });
    return dearer.close;
  });

  it.each([
    { loan: { amount: 150_000, termMonths: 12 }, place: 'withoutScript' },
    { loan: { amount: 2_000_000, termMonths: 48 }, place: 'withoutScript' },
    { loan: { amount: 350_000, termMonths: 36 }, place: 'calculator' },
  ])('of $loan are the server’s quote, at whatever rate it lends', async ({ loan, place }) => {
    for (const [asked, monthlyRate] of [
      [server, 250],
      [dearer, 375],
    ] as const) {
      const body = await asked.visitor.quoteLoan(loan);
      const html = render({ monthlyRate });
      const text = textOf(
        place === 'calculator' ? html.replace(withoutScriptOf(html), '') : withoutScriptOf(html),
      );
      const shown = [
        `Monthly repayment\n${showPeso(body.monthlyPayment)}`,
        ...(place === 'calculator' ? ['Request now'] : []),
        `Total repayment\n${showPeso(body.totalPayment)}`,
        `Cost of credit\n${showPeso(body.costOfCredit)}`,
        `Effective rate\n${Number(body.effectiveMonthlyRate).toFixed(2)}% a month`,
      ];
      expect(text).toContain(shown.join('\n'));
    }
  });
});

describe('a lender whose facts are hostile', () => {
  const evil = `</p><script>alert("x")</script>'&amp; <img src=x onerror=alert(1)>`;
  const hostile: Lender = {
    ...sampleLender,
    name: evil,
    registrationNumber: evil,
    address: evil,
    payoutChannels: [evil, 'Bank Transfer'],
    supportPhone: '"><script>alert(2)</script> +63 1',
    supportEmail: '"onmouseover="alert(3)@x',
    registryUrl: 'https://example.com/?a=1&b=%22',
  };

  it.each(['en', 'fil'] as const)('is shown as written, and nothing of it runs (%s)', (language) => {
    const html = render({ lender: hostile, language });
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).not.toContain('<img');
    expect(html.replace(/"[^"]*"/g, '""')).not.toMatch(/<[^>]*\son\w+=/);
    expect(textOf(html).split(evil)).toHaveLength(5);
    expect(linksOf(html).map(({ href }) => href)).toContain('https://example.com/?a=1&b=%22');
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', '//example.com', 'https://x"onclick="y'])(
    'a registry at %s is refused before it is shown',
    (registryUrl) => {
      expect(Lender.safeParse({ ...sampleLender, registryUrl }).success).toBe(false);
    },
  );
});

describe('the chosen language', () => {
  afterEach(() => void vi.unstubAllGlobals());

  function visit({ shown, search, stored }: { shown: string; search: string; stored?: string }) {
    const storage = new Map(stored === undefined ? [] : [['language', stored]]);
    const replace = vi.fn();
    vi.stubGlobal('document', { documentElement: { lang: shown } });
    vi.stubGlobal('location', { search, replace });
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => storage.get(key) ?? null,
      setItem: (key: string, value: string) => storage.set(key, value),
    });
    rememberLanguage();
    return { stored: storage.get('language'), ledTo: replace.mock.calls.flat() };
  }

  it.each([
    { why: 'a first visit', shown: 'en', search: '', becomes: undefined, ledTo: [] },
    { why: 'chosen here', shown: 'fil', search: '?lang=fil', becomes: 'fil', ledTo: [] },
    { why: 'back to English', shown: 'en', search: '?lang=en', stored: 'fil', becomes: 'en', ledTo: [] },
    {
      why: 'chosen in the app',
      shown: 'en',
      search: '',
      stored: 'fil',
      becomes: 'fil',
      ledTo: ['/?lang=fil'],
    },
    { why: 'a language that is none', shown: 'en', search: '?lang=xx', becomes: undefined, ledTo: [] },
    { why: 'something else stored', shown: 'en', search: '', stored: 'xx', becomes: 'xx', ledTo: [] },
  ])('$why', ({ shown, search, stored, becomes, ledTo }) => {
    expect(visit({ shown, search, stored })).toEqual({ stored: becomes, ledTo });
  });

  it('holds for this page where storage is forbidden', () => {
    vi.stubGlobal('document', { documentElement: { lang: 'fil' } });
    vi.stubGlobal('location', { search: '?lang=fil', replace: () => {} });
    const forbidden = () => {
      throw new DOMException('no storage', 'SecurityError');
    };
    vi.stubGlobal('localStorage', { getItem: forbidden, setItem: forbidden });
    expect(rememberLanguage).not.toThrow();
  });
});
