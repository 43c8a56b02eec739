/**
 * Starts the slides that `Carousel` has drawn, on a page with or without React: they advance by themselves and wrap
 * around. They rest while hovered, focused or paused, and start paused under prefers-reduced-motion. Returns a function
 * that stops them.
 */
export function startCarousel(root: HTMLElement): () => void {
  const { intervalMs, pauseLabel = '', playLabel = '' } = root.dataset;
  const strip = root.querySelector('ul');
  const dotRow = root.querySelector<HTMLElement>('[data-dots]');
  const playButton = root.querySelector<HTMLElement>('[data-play]');
  if (!strip || !dotRow || !playButton) throw new Error('not a carousel');
  const slides = [...strip.children];
  const dots = [...dotRow.children];
  const prefersStill = matchMedia('(prefers-reduced-motion: reduce)');
  let isPaused = prefersStill.matches;
  let isHovered = false;

  const current = () => Math.round(strip.scrollLeft / Math.max(1, strip.clientWidth));
  const show = (index: number) => {
    const behavior = prefersStill.matches ? 'instant' : 'smooth';
    strip.scrollTo({ left: index * strip.clientWidth, behavior });
  };
  const moves = () => !isPaused && !isHovered && !root.matches(':focus-within');

  function mark() {
    const index = current();
    for (const [place, slide] of slides.entries()) {
      if (place === index) slide.removeAttribute('aria-hidden');
      else slide.setAttribute('aria-hidden', 'true');
    }
    for (const [place, dot] of dots.entries()) {
      if (place === index) dot.setAttribute('aria-current', 'true');
      else dot.removeAttribute('aria-current');
    }
    strip?.setAttribute('aria-live', moves() ? 'off' : 'polite');
    playButton?.toggleAttribute('data-paused', isPaused);
    playButton?.setAttribute('aria-label', isPaused ? playLabel : pauseLabel);
  }

  const listening = new AbortController();
  const { signal } = listening;
  const on = (type: string, target: Element, change?: () => void) => {
    const listener = () => {
      change?.();
      mark();
    };
    target.addEventListener(type, listener, { signal, passive: true });
  };
  for (const type of ['focusin', 'focusout']) on(type, root);
  on('scroll', strip);
  on('click', playButton, () => {
    isPaused = !isPaused;
  });
  for (const [index, dot] of dots.entries()) on('click', dot, () => show(index));
  on('pointerenter', root, () => {
    isHovered = true;
  });
  on('pointerleave', root, () => {
    isHovered = false;
  });
  const timer = setInterval(() => {
    if (moves() && !document.hidden) show((current() + 1) % slides.length);
  }, Number(intervalMs));

  dotRow.hidden = false;
  playButton.hidden = false;
  mark();
  return () => {
    clearInterval(timer);
    listening.abort();
  };
}
