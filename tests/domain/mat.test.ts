import { describe, expect, it } from 'vitest';
import { type MatTile, weaveMat, withNext } from '#domain/mat.ts';

const tiles = (count: number, tile: MatTile = 'bare') => new Array<MatTile>(count).fill(tile);
const strips = (d: string) =>
  [...d.matchAll(/M(\S+) (\S+)h(\S+)v(\S+)h/g)].map((found) => found.slice(1).map(Number));

describe('a mat', () => {
  it.each([
    [1, 1, 1],
    [6, 6, 1],
    [12, 12, 1],
    [13, 7, 2],
    [24, 12, 2],
    [30, 10, 3],
    [36, 12, 3],
    [48, 12, 4],
    [60, 12, 5],
  ])('of %i instalments has %i columns and %i rows', (count, columns, rows) => {
    const { width, height, pitch } = weaveMat(tiles(count));
    expect([(width + 3) / pitch, (height + 3) / pitch]).toEqual([columns, rows]);
  });

  it('draws each tile as two strips within its own place, lying and standing in turn', () => {
    const { paths, pitch, width, height } = weaveMat(tiles(24, 'paid'));
    expect(paths.map(({ part }) => part)).toEqual(['lying', 'standing']);
    const places = paths.map(({ part, d }) =>
      strips(d).map(([x = 0, y = 0, w = 0, h = 0]) => {
        expect(x + w).toBeLessThan(width);
        expect(y + h).toBeLessThan(height);
        expect(w > h).toBe(part === 'lying');
        return Math.floor(x / pitch) + 12 * Math.floor(y / pitch);
      }),
    );
    const twice = (isOdd: number) =>
      Array.from({ length: 24 }, (_, at) => at).filter(
        (at) => ((at % 12) + Math.floor(at / 12)) % 2 === isOdd,
      );
    expect(places).toEqual([0, 1].map((isOdd) => twice(isOdd).flatMap((at) => [at, at])));
  });

  it('draws half of a tile woven and the other outlined, while its payment waits', () => {
    const { paths } = weaveMat(withNext(['paid', 'sent', 'bare']));
    expect(paths.map(({ part, d }) => [part, strips(d)])).toEqual([
      ['lying', expect.arrayContaining([[1, 1, 22, 9]])],
      ['standing', [[28, 1, 9, 22]]],
      ['sent', [[41, 1, 9, 22]]],
      ['next', expect.anything()],
    ]);
  });

  it('outlines the first bare tile, draws it last, and those newly paid apart', () => {
    const states = withNext([...tiles(5, 'paid'), ...tiles(2, 'late'), ...tiles(17)]);
    expect(states[7]).toBe('next');
    const { paths } = weaveMat(states, { freshFrom: 4 });
    expect(paths.map(({ part, isFresh, d }) => [part, isFresh, strips(d).length / 2])).toEqual([
      ['bare', false, 16],
      ['lying', false, 2],
      ['lying', true, 1],
      ['standing', false, 2],
      ['late', false, 2],
      ['next', false, 1],
    ]);
    expect(withNext(tiles(3, 'paid'))).toEqual(tiles(3, 'paid'));
  });
});
