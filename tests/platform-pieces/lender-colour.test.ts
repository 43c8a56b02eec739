import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { colourStyle, faintIn } from '#server/lender-colour.ts';

const tokens = readFileSync('web/ui/tokens.css', 'utf8');

/** Every fixed colour as the style sheet has it, in the light and the dark theme. */
function token(name: string): [light: string, dark: string] {
  const found = new RegExp(`--color-${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(tokens);
  if (!found?.[1] || !found[2]) throw new Error(`tokens.css has no ${name}`);
  return [found[1], found[2]];
}

/** The colours of both themes, read from the style element as a browser reads them. */
function themesOf(colour: string): Record<string, string>[] {
  const [light = '', dark = ''] = colourStyle(colour).split('@media screen and (prefers-color-scheme:dark)');
  return [light, dark].map((rule) =>
    Object.fromEntries([...rule.matchAll(/--color-([\w-]+):(#\w{6});/g)].map((m) => [m[1], m[2]])),
  );
}

/** Computes the contrast by the definition in WCAG 2.2, in whole numbers of the sRGB table. */
function contrast(one = '', other = ''): number {
  const luminance = (hex: string) =>
    [0.2126, 0.7152, 0.0722].reduce((sum, weight, index) => {
      const part = Number(`0x${hex.slice(1 + index * 2, 3 + index * 2)}`) / 255;
      return sum + weight * (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    }, 0.05);
  const [a, b] = [luminance(one), luminance(other)];
  return Math.max(a, b) / Math.min(a, b);
}

const colours = Array.from({ length: 6 ** 3 }, (_, index) =>
  [index % 6, Math.floor(index / 6) % 6, Math.floor(index / 36)]
    .map((step) => (step * 51).toString(16).padStart(2, '0'))
    .reduce((hex, part) => hex + part, '#'),
);

describe('the lender’s colour', () => {
  it('that is accepted can be read wherever it stands, in both themes', () => {
    const accepted = colours.filter((colour) => faintIn(colour) === undefined);
    expect(accepted.length).toBeGreaterThan(40);
    for (const colour of accepted) {
      for (const [theme, palette] of themesOf(colour).entries()) {
        const grounds = ['paper', 'card', 'sunken'].map((name) => token(name)[theme]);
        const { leaf, 'leaf-hover': hover, 'leaf-tint': tint, 'leaf-deep': deep } = palette;
        const pairs = [
          ...[...grounds, tint].map((ground) => [leaf, ground]),
          ...[leaf, hover].map((ground) => [palette['on-leaf'], ground]),
          ...['#ffffff', palette['on-deep-soft']].map((text) => [text, deep]),
          [token('ink')[theme], tint],
        ];
        for (const [text, ground] of pairs)
          expect(contrast(text, ground), `${colour}: ${text} on ${ground}`).toBeGreaterThanOrEqual(4.49);
      }
    }
  });

  it('that is refused would be too faint on white, on paper or on its own tint', () => {
    const refused = colours.filter((colour) => faintIn(colour));
    expect(refused.length).toBeGreaterThan(100);
    for (const colour of refused) {
      const [light] = themesOf(colour);
      const grounds = [...['paper', 'card', 'sunken'].map((name) => token(name)[0]), light?.['leaf-tint']];
      expect(Math.min(...grounds.map((ground) => contrast(colour, ground))), colour).toBeLessThan(4.5);
    }
  });

  it('replaces only colours that the style sheet has', () => {
    for (const palette of themesOf('#5b2a86')) {
      for (const name of Object.keys(palette)) expect(tokens).toContain(`--color-${name}: `);
    }
    expect(colourStyle(undefined)).toBe('');
  });
});
