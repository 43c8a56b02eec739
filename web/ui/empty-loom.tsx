import { type MatTile, withNext } from '#domain/mat.ts';
import { Mat } from './mat-drawing.tsx';

/** A mat with nothing woven yet. */
export const EmptyLoom = ({ count = 12 }: { count?: number }) => (
  <Mat tiles={withNext(new Array<MatTile>(count).fill('bare'))} />
);
