import { startCalculator } from './calculator.ts';
import { startCarousel } from './carousel.ts';
import { rememberLanguage } from './remember-language.ts';

// The page is whole without this: it makes the calculator calculate, the slides move, and the language stay.
rememberLanguage();
for (const element of document.querySelectorAll<HTMLElement>('[data-carousel]')) startCarousel(element);
for (const form of document.querySelectorAll<HTMLFormElement>('[data-calculator]')) startCalculator(form);
