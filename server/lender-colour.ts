/** The fixed colours of `web/ui/tokens.css` on which the lender's has to be legible. */
const fixed = {
  light: { grounds: ['#f6f4ef', '#ffffff', '#f4f3ee'], ink: '#10233f' },
  dark: { grounds: ['#0b1420', '#141f2e', '#0f1926'], ink: '#eaf0f7' },
} as const;

type Theme = keyof typeof fixed;

const [black, white, darkCard] = ['#000000', '#ffffff', fixed.dark.grounds[1]];

/** WCAG 2 asks this of text. */
const contrastMin = 4.5;

/** The tokens made of the lender's colour. In the dark theme text and fills take as much white as `lightened` says. */
function paletteOf(theme: Theme, colour: string, lightened: number) {
  const isLight = theme === 'light';
  const dark = 1 - lightened;
  return {
    leaf: isLight ? colour.toLowerCase() : mixed(colour, white, lightened),
    'leaf-hover': isLight ? mixed(colour, black, 0.18) : mixed(colour, white, 1 - dark * 0.8),
    'leaf-deep': mixed(colour, black, isLight ? 0.36 : 0.54),
    'leaf-tint': isLight ? mixed(colour, white, 0.885) : mixed(colour, darkCard, 0.75),
    'on-leaf': isLight ? white : mixed(colour, black, 0.75),
    'on-deep-soft': mixed(colour, white, 0.76),
  };
}

/** The palette, and the lowest contrast in it of a text with its background. */
function judged(theme: Theme, colour: string, lightened = 0) {
  const palette = paletteOf(theme, colour, lightened);
  const { leaf, 'leaf-hover': hover, 'leaf-deep': deep, 'leaf-tint': tint, 'on-leaf': onLeaf } = palette;
  const pairs: [text: string, ground: string][] = [
    ...[...fixed[theme].grounds, tint].map((ground): [string, string] => [leaf, ground]),
    ...[leaf, hover].map((ground): [string, string] => [onLeaf, ground]),
    ...[white, palette['on-deep-soft']].map((text): [string, string] => [text, deep]),
    [fixed[theme].ink, tint],
  ];
  return { palette, contrast: Math.min(...pairs.map(([text, ground]) => contrastOf(text, ground))) };
}

/** No lighter than it has to be: the darker the colour, the more white its dark theme takes. */
function darkOf(colour: string) {
  for (let lightened = 0.3; ; lightened += 0.05) {
    const dark = judged('dark', colour, lightened);
    if (dark.contrast >= contrastMin || lightened > 0.7) return dark;
  }
}

/** Returns a sentence if text in the lender's colour, or on it, could not be read. */
export function faintIn(colour: string): string | undefined {
  const contrast = Math.min(judged('light', colour).contrast, darkOf(colour).contrast);
  if (contrast >= contrastMin) return undefined;
  const shown = (Math.floor(contrast * 100) / 100).toFixed(2);
  return `is too light to be read: its contrast is ${shown}, where text needs ${contrastMin}; take a darker one`;
}

/** A style element that puts the lender's colour into both themes; paper is always printed in the light one. */
export function colourStyle(colour: string | undefined): string {
  if (colour === undefined) return '';
  const rule = ({ palette }: ReturnType<typeof judged>) =>
    `:root{${Object.entries(palette)
      .map(([name, value]) => `--color-${name}:${value};`)
      .join('')}}`;
  const dark = `@media screen and (prefers-color-scheme:dark){${rule(darkOf(colour))}}`;
  return `<style>${rule(judged('light', colour))}${dark}</style>`;
}

const partsOf = (hex: string) => [1, 3, 5].map((from) => Number.parseInt(hex.slice(from, from + 2), 16));

/** Mixes as CSS does with `color-mix(in srgb, colour, other share)`. */
function mixed(colour: string, other: string, share: number): string {
  const others = partsOf(other);
  const parts = partsOf(colour).map((part, at) => Math.round(part * (1 - share) + (others[at] ?? 0) * share));
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** WCAG 2's contrast ratio, from 1 to 21. */
function contrastOf(...colours: [string, string]): number {
  const [darker = 0, lighter = 0] = colours.map(luminanceOf).sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminanceOf(hex: string): number {
  const weights = [0.2126, 0.7152, 0.0722];
  return partsOf(hex).reduce((sum, part, at) => {
    const share = part / 255;
    const linear = share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    return sum + linear * (weights[at] ?? 0);
  }, 0);
}
