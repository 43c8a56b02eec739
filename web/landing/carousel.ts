import { limits } from '#domain/limits.ts';

/** Makes a strip of slides loop by itself. It rests under the pointer, with the focus in it, and when paused. */
export function startCarousel(root: HTMLElement): void {
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
