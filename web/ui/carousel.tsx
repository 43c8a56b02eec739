import { PauseIcon, PlayIcon } from 'lucide-react';
import type { Wording } from '#contract/wording/en.ts';
import type { MatTile } from '#domain/mat.ts';
import { Mat } from './mat-drawing.tsx';
import { startCarousel } from './start-carousel.ts';

const start = (root: HTMLElement | null) => (root ? startCarousel(root) : undefined);

/**
 * The three promotional slides (§landing-page), a strip that scrolls without script. `startCarousel` shows the
 * controls, which do nothing without it: the landing page calls it itself.
 */
export function Carousel({ words, intervalMs }: { words: Wording['carousel']; intervalMs: number }) {
  const slides = [
    { id: 'fast', ...words.slides.fastCash, picture: pictures.fast },
    { id: 'digital', ...words.slides.digital, picture: pictures.digital },
    { id: 'flexible', ...words.slides.flexible, picture: pictures.flexible },
  ];
  return (
    <section
      // It starts again in another language, with other labels.
      key={words.name}
      ref={start}
      data-carousel=""
      data-interval-ms={intervalMs}
      data-pause-label={words.pause}
      data-play-label={words.play}
      aria-label={words.name}
      aria-roledescription={words.role}
      className="@container flex flex-col overflow-hidden rounded-card bg-card shadow-soft dark:ring-1 dark:ring-line forced-colors:border"
    >
      <ul
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
        aria-label={words.name}
        className="flex grow snap-x snap-mandatory overflow-x-auto overscroll-x-contain [scrollbar-width:none] focus-visible:-outline-offset-3 [&::-webkit-scrollbar]:hidden"
      >
        {slides.map(({ id, title, text, picture }) => (
          <li
            key={id}
            aria-roledescription={words.slideRole}
            className="flex w-full shrink-0 snap-start snap-always items-center @max-xs:flex-col @max-xs:items-stretch"
          >
            <div
              aria-hidden="true"
              className="relative w-2/5 max-w-64 shrink-0 self-stretch bg-leaf-tint @max-xs:w-full @max-xs:max-w-none @max-xs:min-h-36 @max-xs:shrink @max-xs:grow [--color-loom:color-mix(in_srgb,var(--color-leaf)_9%,var(--color-leaf-tint))]"
            >
              <Mat tiles={picture} columns={loomColumns} className="absolute size-full max-w-none!" />
            </div>
            <div className="px-card py-3.5">
              <h2 className="mb-1 font-heading text-20 leading-6 font-bold">{title}</h2>
              <p className="text-14 text-ink-soft">{text}</p>
            </div>
          </li>
        ))}
      </ul>
      <div className="flex min-h-11 items-center justify-between pl-[calc(var(--spacing-card)-0.625rem)] pr-1.5">
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

/** Draws a mat: `#` is paid, `o` is the next tile, and the rest is bare loom. */
const wovenFrom = (drawing: string): MatTile[] =>
  [...drawing.replaceAll(/\s/g, '')].map((mark) => ({ '#': 'paid', o: 'next' })[mark] ?? 'bare') as MatTile[];

const loomColumns = 24;

// The carousel's pictures are woven on one loom: the peso, a phone, and a choice of lengths.
const pictures = {
  fast: wovenFrom(`
    ........................
    .........#####..........
    .........#....#.........
    ........########........
    .........#....#.........
    ........########........
    .........#....#.........
    .........#####..........
    .........#..............
    .........#..............
    ........................`),
  digital: wovenFrom(`
    ........................
    ........#######.........
    ........#.....#.........
    ........#....o#.........
    ........#...o.#.........
    ........#o.o..#.........
    ........#.o...#.........
    ........#.....#.........
    ........#.....#.........
    ........#######.........
    ........................`),
  flexible: wovenFrom(`
    ........................
    ..####o.................
    ........................
    ........................
    ..##########o...........
    ........................
    ........................
    ..###################o..
    ........................
    ........................
    ........................`),
};
