import { startCalculator } from './calculator.ts';
import { startCarousel } from './carousel.ts';
import { offerOwnAccount } from './own-account.ts';
import { rememberLanguage } from './remember-language.ts';

// The page is whole without this: it makes the calculator calculate, the slides move, the language stay, and knows who is
// signed in.
rememberLanguage();
offerOwnAccount();
for (const element of document.querySelectorAll<HTMLElement>('[data-carousel]')) startCarousel(element);
for (const form of document.querySelectorAll<HTMLFormElement>('[data-calculator]')) startCalculator(form);
