import { limits } from '#domain/limits.ts';
import { centavos, formatPeso, formatWholePeso } from '#domain/money.ts';
import { costOf } from './cost.ts';
import { rememberLanguage } from './remember-language.ts';

/** Runs the repayment calculator, by the same rules as the server's quote. */
function startCalculator(form: HTMLFormElement): void {
  const slider = form.elements.namedItem('amount');
  const { perMonth } = form.dataset;
  const monthlyRate = Number(form.dataset.monthlyRate);
  if (!(slider instanceof HTMLInputElement) || perMonth === undefined) return;
  const outs = new Map(
    [...form.querySelectorAll<HTMLElement>('[data-out]')].map((out) => [out.dataset.out, out]),
  );
  const write = (name: string, text: string) => {
    const out = outs.get(name);
    if (out) out.textContent = text;
  };

  const update = () => {
    const amount = centavos(slider.valueAsNumber * 100);
    const termMonths = Number(new FormData(form).get('termMonths'));
    const cost = costOf(amount, termMonths, monthlyRate);
    const amountText = formatWholePeso(amount);
    const min = Number(slider.min);
    slider.style.setProperty('--ratio', String((slider.valueAsNumber - min) / (Number(slider.max) - min)));
    slider.setAttribute('aria-valuetext', amountText);
    write('amount', amountText);
    write('monthly', formatPeso(cost.monthlyPaymentCentavos));
    write('total', formatPeso(cost.totalPaymentCentavos));
    write('cost', formatPeso(cost.costOfCreditCentavos));
    write('rate', perMonth.replace('{percent}', cost.effectiveMonthlyPercent));
  };

  form.addEventListener('input', update);
  form.addEventListener('submit', (event) => event.preventDefault());
  // Browsers may restore form values from an earlier visit.
  update();
}

/** Autoplays a strip of slides. Rests while hovered, focused or paused. */
function startCarousel(root: HTMLElement): void {
  const strip = root.querySelector<HTMLElement>('[data-strip]');
  const dots = [...root.querySelectorAll<HTMLElement>('[data-dot]')];
  const dotRow = root.querySelector<HTMLElement>('[data-dots]');
  const button = root.querySelector<HTMLElement>('[data-play]');
  if (!strip || !dotRow || !button) return;

  const prefersStill = matchMedia('(prefers-reduced-motion: reduce)');
  const slides = [...strip.children];
  let isPaused = prefersStill.matches;
  let isResting = false;

  const current = () => Math.round(strip.scrollLeft / Math.max(1, strip.clientWidth));
  const show = (index: number) =>
    strip.scrollTo({
      left: index * strip.clientWidth,
      behavior: prefersStill.matches ? 'instant' : 'smooth',
    });
  const mark = () => {
    for (const [index, dot] of dots.entries()) {
      if (index === current()) dot.setAttribute('aria-current', 'true');
      else dot.removeAttribute('aria-current');
    }
  };
  const showPaused = () => {
    button.toggleAttribute('data-paused', isPaused);
    button.setAttribute(
      'aria-label',
      (isPaused ? button.dataset.playLabel : button.dataset.pauseLabel) ?? '',
    );
  };

  for (const [index, dot] of dots.entries()) dot.addEventListener('click', () => show(index));
  button.addEventListener('click', () => {
    isPaused = !isPaused;
    showPaused();
  });
  strip.addEventListener('scroll', mark, { passive: true });
  root.addEventListener('pointerenter', () => {
    isResting = true;
  });
  root.addEventListener('pointerleave', () => {
    isResting = false;
  });
  root.addEventListener('focusin', () => {
    isResting = true;
  });
  root.addEventListener('focusout', () => {
    isResting = false;
  });
  setInterval(() => {
    if (!isPaused && !isResting && !document.hidden) show((current() + 1) % slides.length);
  }, limits.carouselSlideMs);

  dotRow.hidden = false;
  button.hidden = false;
  showPaused();
}

/** The session token's storage key, repeated here because importing its module would pull in the app. */
const tokenKey = 'token';

function isSignedIn(): boolean {
  try {
    return localStorage.getItem(tokenKey) !== null;
  } catch {
    return false;
  }
}

/** Signed-in visitors get a link to their account instead of registration and sign-in. */
function offerOwnAccount(): void {
  if (isSignedIn()) {
    for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-account]')) {
      link.href = link.dataset.account ?? link.href;
      link.textContent = link.dataset.accountText ?? link.textContent;
    }
    for (const element of document.querySelectorAll<HTMLElement>('[data-visitors]')) element.hidden = true;
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
for (const element of document.querySelectorAll<HTMLElement>('[data-carousel]')) startCarousel(element);
for (const form of document.querySelectorAll<HTMLFormElement>('[data-calculator]')) startCalculator(form);
