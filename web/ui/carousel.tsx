import { type ReactNode, useEffect, useRef, useState } from 'react';
import { IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import { PauseIcon, PlayIcon } from './icons.tsx';

export interface CarouselLabels {
  /** 'carousel'. */
  role: string;
  /** 'slide'. */
  slideRole: string;
  pause: string;
  play: string;
  /** The name of a dot; `number` starts at 1. */
  goTo: (number: number, title: string) => string;
}

export interface CarouselProps {
  label: string;
  labels: CarouselLabels;
  slides: readonly { id: string; title: string; text: ReactNode; picture: ReactNode }[];
  intervalMs: number;
}

/**
 * A scroll-snap strip that works without script; with script it advances by itself and wraps around. It rests while
 * hovered, focused or paused, and never moves under prefers-reduced-motion.
 */
export function Carousel({ label, labels, slides, intervalMs }: CarouselProps) {
  const strip = useRef<HTMLUListElement>(null);
  const [current, setCurrent] = useState(0);
  const [playing, setPlaying] = useState(false);
  const [resting, setResting] = useState(false);

  // Starts after mount, so the pre-rendered page has a still strip.
  useEffect(() => setPlaying(!matchMedia('(prefers-reduced-motion: reduce)').matches), []);

  function show(index: number) {
    const element = strip.current;
    if (!element) return;
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    element.scrollTo({ left: index * element.clientWidth, behavior: still ? 'instant' : 'smooth' });
  }

  useEffect(() => {
    if (!playing || resting) return;
    const timer = setInterval(() => {
      const element = strip.current;
      if (!element || document.hidden) return;
      const next = (Math.round(element.scrollLeft / element.clientWidth) + 1) % slides.length;
      element.scrollTo({ left: next * element.clientWidth, behavior: 'smooth' });
    }, intervalMs);
    return () => clearInterval(timer);
  }, [playing, resting, intervalMs, slides.length]);

  return (
    <section
      aria-label={label}
      aria-roledescription={labels.role}
      className="relative overflow-hidden rounded-card bg-card shadow-soft dark:ring-1 dark:ring-line forced-colors:border"
      onPointerEnter={() => setResting(true)}
      onPointerLeave={() => setResting(false)}
      onFocus={() => setResting(true)}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setResting(false);
      }}
    >
      <ul
        ref={strip}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
        aria-label={label}
        aria-live={playing && !resting ? 'off' : 'polite'}
        className="strip flex overflow-x-auto focus-visible:-outline-offset-3"
        onScroll={(event) => {
          const element = event.currentTarget;
          setCurrent(Math.min(slides.length - 1, Math.round(element.scrollLeft / element.clientWidth)));
        }}
      >
        {slides.map((slide, index) => (
          <li
            key={slide.id}
            aria-roledescription={labels.slideRole}
            aria-hidden={index === current ? undefined : true}
            className="w-full shrink-0 snap-start snap-always"
          >
            <div
              aria-hidden="true"
              className="aspect-[5/2] bg-linear-to-br from-leaf-tint to-mango-tint [&_svg]:size-full"
            >
              {slide.picture}
            </div>
            <div className="px-4.5 pb-1 pt-3.5">
              <h2 className="font-heading text-20 font-bold">{slide.title}</h2>
              <p className="text-14 text-ink-soft">{slide.text}</p>
            </div>
          </li>
        ))}
      </ul>
      <div className="flex items-center justify-between pl-2 pr-1.5">
        <div className="flex">
          {slides.map((slide, index) => (
            <button
              key={slide.id}
              type="button"
              aria-label={labels.goTo(index + 1, slide.title)}
              aria-current={index === current || undefined}
              onClick={() => show(index)}
              className="flex h-11 min-w-7 items-center justify-center rounded-control px-2.5 forced-colors:outline-none!"
            >
              <span
                className={classNames(
                  'mark h-2 rounded-full transition-all',
                  index === current ? 'w-6 bg-leaf' : 'w-2 bg-edge forced-colors:opacity-40',
                )}
              />
            </button>
          ))}
        </div>
        <IconButton label={playing ? labels.pause : labels.play} onClick={() => setPlaying(!playing)}>
          {playing ? <PauseIcon /> : <PlayIcon />}
        </IconButton>
      </div>
    </section>
  );
}
