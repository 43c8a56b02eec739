import { paths } from '#contract/routes.ts';
import { centavos, formatWholePeso } from '#domain/money.ts';
import { forgetTyped, readToken, removeToken, writeToken } from '#web/lib/token.ts';
import { startCarousel } from '#web/ui/start-carousel.ts';
import { shownCost } from './cost.ts';
import { fetchSignIn } from './fetch-sign-in.ts';
import { rememberLanguage } from './remember-language.ts';

/** Runs the repayment calculator, by the same rules as the server's quote. */
function startCalculator(form: HTMLFormElement): void {
  const slider = form.querySelector<HTMLInputElement>('.range');
  const output = form.querySelector('output');
  const { perMonth } = form.dataset;
  const monthlyRate = Number(form.dataset.monthlyRate);
  if (!slider || !output || perMonth === undefined) return;
  const outs = form.querySelectorAll<HTMLElement>('[data-out]');

  const update = () => {
    const amount = centavos(slider.valueAsNumber * 100);
    const termMonths = Number(new FormData(form).get('termMonths'));
    const { monthlyPercent, ...figures } = shownCost(amount, termMonths, monthlyRate);
    const shown: DOMStringMap = { ...figures, rate: perMonth.replace('{percent}', monthlyPercent) };
    const amountText = formatWholePeso(amount);
    const min = Number(slider.min);
    slider.style.setProperty('--ratio', String((slider.valueAsNumber - min) / (Number(slider.max) - min)));
    slider.setAttribute('aria-valuetext', amountText);
    output.textContent = amountText;
    for (const out of outs) out.textContent = shown[out.dataset.out ?? ''] ?? null;
  };

  form.addEventListener('input', update);
  form.addEventListener('submit', (event) => event.preventDefault());
  // Browsers may restore form values from an earlier visit.
  update();
}

const isSignedIn = () => readToken() !== undefined;

function signOut(): void {
  const headers = { Authorization: `Bearer ${readToken()}` };
  // The page does not wait: its failure changes nothing here.
  void fetch('/api/auth/logout', { method: 'POST', headers, keepalive: true }).catch(() => undefined);
  // Empty first: it tells other tabs that this is no session's end.
  writeToken('');
  removeToken();
  forgetTyped();
  location.assign(paths.signIn);
}

/** Signed-in visitors get a link to their account instead of registration and sign-in. */
function offerOwnAccount(): void {
  if (isSignedIn()) {
    for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-account]')) {
      link.href = link.dataset.account ?? link.href;
      link.textContent = link.dataset.accountText ?? link.textContent;
    }
    for (const element of document.querySelectorAll<HTMLElement>('[data-visitors]')) element.hidden = true;
    for (const element of document.querySelectorAll<HTMLElement>('[data-signed-in]')) element.hidden = false;
    document.querySelector('[data-sign-out]')?.addEventListener('click', signOut);
  }
  const shownTo = isSignedIn();
  // The session may have changed by the time a page is restored from the back/forward cache.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && isSignedIn() !== shownTo) location.reload();
  });
}

// Progressive enhancement: the page is complete without it.
rememberLanguage();
offerOwnAccount();
if (!isSignedIn()) fetchSignIn();
for (const element of document.querySelectorAll<HTMLElement>('[data-carousel]')) startCarousel(element);
for (const form of document.querySelectorAll<HTMLFormElement>('[data-calculator]')) startCalculator(form);
