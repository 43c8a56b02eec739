import { expect, it } from 'vitest';
import { cardPhoto } from '#tests/setup/photo.ts';
import { isBlurred } from '#web/lib/blur.ts';

async function cardInGrey({ brightness = 1, noise = 0, blur = 0, shakePx = 0 }) {
  const { data, info } = await cardPhoto(blur)
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const at = (x: number, y: number) => data[y * width + Math.min(width - 1, Math.max(0, x))] ?? 0;
  const grey = Uint8Array.from({ length: width * height }, (_, place) => {
    const [x, y] = [place % width, Math.floor(place / width)];
    let sum = 0;
    for (let off = -shakePx; off <= shakePx; off += 1) sum += at(x + off, y);
    // The same grain in every run.
    const grain = noise * Math.sin(place * 12.9898) * Math.cos(place * 78.233);
    return Math.min(255, Math.max(0, (brightness * sum) / (2 * shakePx + 1) + grain));
  });
  return { grey, width, height };
}

it.each([{}, { noise: 8 }, { brightness: 0.4, noise: 3 }, { blur: 0.7 }])(
  'a photo that can be read is not called blurred: %o',
  async (photo) => {
    expect(isBlurred(await cardInGrey(photo))).toBe(false);
  },
);

it.each([{ blur: 3 }, { blur: 4, noise: 3 }, { blur: 8 }, { brightness: 0.6, blur: 4 }, { shakePx: 8 }])(
  'a photo out of focus, or of a hand that shook, is: %o',
  async (photo) => {
    expect(isBlurred(await cardInGrey(photo))).toBe(true);
  },
);

it('what has no edges to judge by is not called blurred', async () => {
  const [width, height] = [640, 480];
  expect(isBlurred({ grey: new Uint8Array(width * height).fill(120), width, height })).toBe(false);
  expect(isBlurred({ grey: Uint8Array.of(7), width: 1, height: 1 })).toBe(false);
});
