import { afterEach, describe, expect, it, vi } from 'vitest';
import { en } from '#contract/wording/en.ts';
import { fil } from '#contract/wording/fil.ts';
import { daysBetween, type ManilaDate, manilaDate } from '#domain/calendar.ts';
import { withFacts } from '#server/http/web-app.ts';
import { sampleLender } from '#server/sample-lender.ts';

/** Opens the page with what the browser holds of it: the text of the element that the facts stand in. */
function openPage(html: string) {
  vi.resetModules();
  const text = /<script type="application\/json" id="installation">(.*?)<\/script>/s.exec(html)?.[1];
  const getElementById = vi.fn((id: string) =>
    id === 'installation' && text !== undefined ? { textContent: text } : null,
  );
  vi.stubGlobal('document', { getElementById });
  return getElementById;
}

const emptyPage = '<html><head><title>Hiram</title></head><body></body></html>';
const facts = () => import('#web/lib/lender.ts');

afterEach(() => void vi.unstubAllGlobals());

describe('the lender of this installation', () => {
  it('comes from the page that the server wrote, with the rate, and is read once', async () => {
    const read = openPage(withFacts(emptyPage, { lender: sampleLender, monthlyRate: 175 }));
    const { lender, monthlyRate } = await facts();
    expect(lender()).toEqual(sampleLender);
    expect(monthlyRate()).toBe(175);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('knows its day and says so above every page, in a demo that began on another one', async () => {
    const startedOn = '2027-02-01' as ManilaDate;
    const aheadMs = daysBetween(manilaDate(new Date()), startedOn) * 86_400_000;
    openPage(withFacts(emptyPage, { lender: sampleLender, monthlyRate: 250, demo: { startedOn, aheadMs } }));
    const { now, today, ribbonText } = await facts();
    expect(today()).toBe(manilaDate(now()));
    expect(Math.abs(now().getTime() - Date.now() - aheadMs)).toBeLessThan(1_000);
    expect(ribbonText(en.shell, 'en')).toContain('Demo calendar, started on 1 Feb 2027');
    expect(ribbonText(fil.shell, 'fil')).toContain('Demo na kalendaryo, nagsimula noong 1 Peb 2027');
  });

  it.each([
    '</script><script>alert(1)</script>',
    '<!-- <script>',
    '"quoted" & \\escaped\\ $& $1 $`',
    'line\u2028separators\u2029 and Ñ, 借, 🙂',
  ])('survives HTML: %s', async (name) => {
    const html = withFacts(emptyPage, { lender: { ...sampleLender, name }, monthlyRate: 250 });
    expect(html.match(/<\/?script/g)).toHaveLength(2);
    openPage(html);
    expect((await facts()).lender().name).toBe(name);
  });

  it('replaces what the build put there', async () => {
    const built = emptyPage.replace(
      '</head>',
      '<script type="application/json" id="installation"></script></head>',
    );
    const html = withFacts(built, { lender: sampleLender, monthlyRate: 300 });
    expect(html.match(/id="installation"/g)).toHaveLength(1);
    openPage(html);
    expect((await facts()).monthlyRate()).toBe(300);
  });

  it.each([emptyPage, withEmptyElement()])(
    'without facts, as under a dev server: openly no lender',
    async (html) => {
      openPage(html);
      const { lender, monthlyRate } = await facts();
      expect(lender()).toMatchObject({ isSample: true, name: 'Hiram (no lender set)', regulators: [] });
      expect(monthlyRate()).toBe(250);
    },
  );

  it('tells a moment by its time, and one of an earlier day by that day too', async () => {
    openPage(withFacts(emptyPage, { lender: sampleLender, monthlyRate: 250 }));
    const { readMoment } = await facts();
    expect(readMoment(Date.now(), 'en')).toMatch(/^\d\d:\d\d$/);
    expect(readMoment(Date.parse('2026-03-10T04:00:00.000Z'), 'fil')).toBe('10 Mar 2026, 12:00');
  });
});

function withEmptyElement(): string {
  return emptyPage.replace('</head>', '<script type="application/json" id="installation"> </script></head>');
}
