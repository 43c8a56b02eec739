import { limits } from '#domain/limits.ts';
import { useWords } from '#web/lib/words.ts';
import { Carousel } from '#web/ui/carousel.tsx';
import {
  DigitalLendingPicture,
  FastCashPicture,
  FlexibleTermsPicture,
} from '#web/ui/slide-illustrations.tsx';

/** The three slides of the landing page, on the dashboard (spec section 1). */
export function PromotionCarousel() {
  const { carousel } = useWords();
  const { name, slides, ...labels } = carousel;
  return (
    <Carousel
      label={name}
      labels={labels}
      intervalMs={limits.carouselSlideMs}
      slides={[
        { id: 'fast', ...slides.fastCash, picture: <FastCashPicture /> },
        { id: 'digital', ...slides.digital, picture: <DigitalLendingPicture /> },
        { id: 'flexible', ...slides.flexible, picture: <FlexibleTermsPicture /> },
      ]}
    />
  );
}
