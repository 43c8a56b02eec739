/** Above a form that begins with what was typed before (§typed-values). */
export const typed = {
  kept: 'We kept what you typed',
  startOver: 'Start over',
};
