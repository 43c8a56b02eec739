import type { typed as english } from './en-typed.ts';

export const typed: typeof english = {
  kept: 'Itinabi namin ang na-type mo',
  startOver: 'Magsimula ulit',
};
