import type { Wording } from '#contract/wording/en.ts';
import { PauseIcon, PlayIcon } from '#web/ui/icons.tsx';
import {
  DigitalLendingPicture,
  FastCashPicture,
  FlexibleTermsPicture,
} from '#web/ui/slide-illustrations.tsx';

/**
 * A scrolling strip of slides. Its buttons stay hidden until `landing-page.ts` starts it, since they do nothing without
 * script.
 */
export function LandingCarousel({ words }: { words: Wording['carousel'] }) {
  const slides = [
    { id: 'fast', ...words.slides.fastCash, picture: <FastCashPicture /> },
    { id: 'digital', ...words.slides.digital, picture: <DigitalLendingPicture /> },
    { id: 'flexible', ...words.slides.flexible, picture: <FlexibleTermsPicture /> },
  ];
  return (
    <section
      data-carousel=""
      aria-label={words.name}
      aria-roledescription={words.role}
      className="overflow-hidden rounded-card bg-card shadow-soft dark:ring-1 dark:ring-line forced-colors:border"
    >
      <ul
        data-strip=""
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
        aria-label={words.name}
        className="strip flex overflow-x-auto focus-visible:-outline-offset-3"
      >
        {slides.map((slide) => (
          <li
            key={slide.id}
            aria-roledescription={words.slideRole}
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
      <div className="flex min-h-11 items-center justify-between pl-2 pr-1.5">
        <div className="flex" data-dots="" hidden>
          {slides.map((slide, index) => (
            <button
              key={slide.id}
              type="button"
              data-dot=""
              aria-label={words.goTo(index + 1, slide.title)}
              aria-current={index === 0 ? true : undefined}
              className="group flex h-11 min-w-7 items-center justify-center rounded-control px-2.5 forced-colors:outline-none!"
            >
              <span className="mark h-2 w-2 rounded-full bg-edge transition-all group-aria-current:w-6 group-aria-current:bg-leaf" />
            </button>
          ))}
        </div>
        <button
          type="button"
          hidden
          data-play=""
          data-pause-label={words.pause}
          data-play-label={words.play}
          aria-label={words.pause}
          className="group ml-auto inline-flex size-11 items-center justify-center rounded-control hover:bg-leaf-tint"
        >
          <PauseIcon className="size-5.5 group-data-paused:hidden" />
          <PlayIcon className="hidden size-5.5 group-data-paused:block" />
        </button>
      </div>
    </section>
  );
}
