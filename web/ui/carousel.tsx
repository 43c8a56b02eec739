import { PauseIcon, PlayIcon } from './icons.tsx';
import { DigitalLendingPicture, FastCashPicture, FlexibleTermsPicture } from './slide-illustrations.tsx';
import { startCarousel } from './start-carousel.ts';

type Slide = { title: string; text: string };

export interface CarouselProps {
  words: {
    name: string;
    /** 'carousel' and 'slide'. */
    role: string;
    slideRole: string;
    pause: string;
    play: string;
    /** The name of a dot; `number` starts at 1. */
    goTo: (number: number, title: string) => string;
    slides: { fastCash: Slide; digital: Slide; flexible: Slide };
  };
  intervalMs: number;
}

const start = (root: HTMLElement | null) => (root ? startCarousel(root) : undefined);

/**
 * The three promotional slides (§landing-page), a strip that scrolls without script. `startCarousel` shows the
 * controls, which do nothing without it: the landing page calls it itself.
 */
export function Carousel({ words, intervalMs }: CarouselProps) {
  const slides = [
    { id: 'fast', ...words.slides.fastCash, picture: <FastCashPicture /> },
    { id: 'digital', ...words.slides.digital, picture: <DigitalLendingPicture /> },
    { id: 'flexible', ...words.slides.flexible, picture: <FlexibleTermsPicture /> },
  ];
  return (
    <section
      // In another language it starts again, with other labels.
      key={words.name}
      ref={start}
      data-carousel=""
      data-interval-ms={intervalMs}
      data-pause-label={words.pause}
      data-play-label={words.play}
      aria-label={words.name}
      aria-roledescription={words.role}
      className="overflow-hidden rounded-card bg-card shadow-soft dark:ring-1 dark:ring-line forced-colors:border"
    >
      <ul
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
        aria-label={words.name}
        className="strip flex overflow-x-auto focus-visible:-outline-offset-3"
      >
        {slides.map(({ id, title, text, picture }) => (
          <li
            key={id}
            aria-roledescription={words.slideRole}
            className="w-full shrink-0 snap-start snap-always"
          >
            <div
              aria-hidden="true"
              className="aspect-[5/2] bg-linear-to-br from-leaf-tint to-mango-tint [&_svg]:size-full"
            >
              {picture}
            </div>
            <div className="px-4.5 pb-1 pt-3.5">
              <h2 className="font-heading text-20 font-bold">{title}</h2>
              <p className="text-14 text-ink-soft">{text}</p>
            </div>
          </li>
        ))}
      </ul>
      <div className="flex min-h-11 items-center justify-between pl-2 pr-1.5">
        <div className="flex" data-dots="" hidden>
          {slides.map(({ id, title }, index) => (
            <button
              key={id}
              type="button"
              data-dot=""
              aria-label={words.goTo(index + 1, title)}
              className="group flex h-11 min-w-7 items-center justify-center rounded-control px-2.5 forced-colors:outline-none!"
            >
              <span className="mark h-2 w-2 rounded-full bg-edge transition-all group-aria-current:w-6 group-aria-current:bg-leaf group-not-aria-current:forced-colors:opacity-40" />
            </button>
          ))}
        </div>
        <button
          type="button"
          hidden
          data-play=""
          className="group ml-auto inline-flex size-11 items-center justify-center rounded-control hover:bg-leaf-tint"
        >
          <PauseIcon className="size-5.5 group-data-paused:hidden" />
          <PlayIcon className="hidden size-5.5 group-data-paused:block" />
        </button>
      </div>
    </section>
  );
}
