import { PauseIcon, PlayIcon } from 'lucide-react';
import { startCarousel } from './start-carousel.ts';
import { CheckMark, Coin, Weave } from './weave.tsx';

type Slide = { title: string; text: string };

interface CarouselProps {
  words: {
    name: string;
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
      className="@container overflow-hidden rounded-card bg-card shadow-soft dark:ring-1 dark:ring-line forced-colors:border"
    >
      <ul
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
        aria-label={words.name}
        className="flex snap-x snap-mandatory overflow-x-auto overscroll-x-contain [scrollbar-width:none] focus-visible:-outline-offset-3 [&::-webkit-scrollbar]:hidden"
      >
        {slides.map(({ id, title, text, picture }) => (
          <li
            key={id}
            aria-roledescription={words.slideRole}
            className="w-full shrink-0 snap-start snap-always @3xl:flex @3xl:items-center"
          >
            <div
              aria-hidden="true"
              className="aspect-[5/2] @3xl:w-1/2 bg-linear-to-br from-leaf-tint to-mango-tint [&_svg]:size-full"
            >
              {picture}
            </div>
            <div className="px-4.5 pb-1 pt-3.5 @3xl:px-10">
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

// The carousel's pictures, 350×140. Decorative: each slide has its own title and text.

function FastCashPicture() {
  return (
    <svg viewBox="0 0 350 140" preserveAspectRatio="xMidYMid slice" strokeLinecap="round" aria-hidden="true">
      <g className="opacity-25">
        <Weave x={-12} y={84} columns={16} rows={3} cell={24} />
      </g>
      <g strokeWidth="6" className="stroke-leaf opacity-35">
        <path d="M62 44h46M40 62h58M70 80h34" />
      </g>
      <g transform="rotate(-5 200 68)">
        <rect x="134" y="26" width="150" height="88" rx="12" className="fill-leaf opacity-45" />
        <rect x="124" y="20" width="150" height="88" rx="12" className="fill-leaf" />
        <rect
          x="132"
          y="28"
          width="134"
          height="72"
          rx="7"
          fill="none"
          strokeWidth="2"
          className="stroke-on-leaf opacity-35"
        />
        <path d="M144 41h18M236 87h18" strokeWidth="5" className="stroke-on-leaf opacity-70" />
        <Coin x={199} y={64} radius={23} />
      </g>
      <circle cx="284" cy="34" r="21" className="fill-card" />
      <CheckMark x={284} y={34} radius={17} />
    </svg>
  );
}

function DigitalLendingPicture() {
  return (
    <svg viewBox="0 0 350 140" preserveAspectRatio="xMidYMid slice" strokeLinecap="round" aria-hidden="true">
      <g className="opacity-25">
        <Weave x={-12} y={-16} columns={4} rows={7} cell={24} />
        <Weave x={276} y={-16} columns={4} rows={7} cell={24} />
      </g>
      <rect x="132" y="10" width="86" height="150" rx="15" className="fill-ink" />
      <rect x="138" y="16" width="74" height="138" rx="10" className="fill-card" />
      <rect x="164" y="20" width="22" height="5" rx="2.5" className="fill-ink" />
      <rect x="145" y="34" width="60" height="36" rx="7" className="fill-leaf" />
      <path d="M153 45h20M153 57h34" strokeWidth="5" className="stroke-on-leaf opacity-80" />
      <g strokeWidth="5">
        <path d="M147 84h12M167 84h12" className="stroke-mango" />
        <path d="M187 84h14" className="stroke-line" />
        <path d="M147 98h48M147 110h34" className="stroke-line" />
      </g>
      <rect x="145" y="122" width="60" height="15" rx="6" className="fill-leaf" />
      <g>
        <rect x="62" y="46" width="60" height="40" rx="11" className="fill-card" />
        <path d="M106 82l12 12-2-16z" className="fill-card" />
        <Coin x={80} y={66} radius={11} />
        <path d="M98 61h14M98 71h9" strokeWidth="4" className="stroke-line" />
      </g>
      <circle cx="250" cy="74" r="23" className="fill-card" />
      <CheckMark x={250} y={74} radius={18} />
    </svg>
  );
}

function FlexibleTermsPicture() {
  const months = [0, 1, 2, 3, 4, 5];
  return (
    <svg viewBox="0 0 350 140" preserveAspectRatio="xMidYMid slice" strokeLinecap="round" aria-hidden="true">
      <g className="opacity-25">
        <Weave x={-12} y={108} columns={16} rows={2} cell={24} />
      </g>
      <rect x="58" y="26" width="104" height="96" rx="12" className="fill-card" />
      <path d="M58 50V38a12 12 0 0 1 12-12h80a12 12 0 0 1 12 12v12z" className="fill-leaf" />
      <path d="M82 18v16M138 18v16" strokeWidth="6" className="stroke-ink" />
      {[0, 1, 2].map((row) =>
        [0, 1, 2, 3].map((column) => {
          const chosen = row === 1 && column === 2;
          return (
            <rect
              key={`${row}-${column}`}
              x={70 + column * 22}
              y={60 + row * 19}
              width="14"
              height="12"
              rx="4"
              className={chosen ? 'fill-mango' : 'fill-leaf-tint'}
            />
          );
        }),
      )}
      {months.map((month) => (
        <rect
          key={month}
          x={186 + month * 20}
          y={62}
          width="13"
          height="60"
          rx="5"
          className={month < 2 ? 'fill-leaf' : 'fill-leaf opacity-45'}
        />
      ))}
      <path d="M186 42h113" strokeWidth="5" className="stroke-card" />
      <path d="M186 42h46" strokeWidth="5" className="stroke-leaf" />
      <circle cx="232" cy="42" r="10" strokeWidth="4" className="fill-card stroke-leaf" />
    </svg>
  );
}
