import { below } from '#contract/wording/en-home-below.ts';
import { limits } from '#domain/limits.ts';
import { useWordsOf } from '#web/lib/format.ts';
import { Carousel } from '#web/ui/carousel.tsx';

export const Slides = () => (
  <Carousel words={useWordsOf(below).carousel} intervalMs={limits.carouselSlideMs} />
);
