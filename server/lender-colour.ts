type Rgb = readonly [red: number, green: number, blue: number];

/** The fixed colours of `web/ui/tokens.css` beside which the lender's has to be read. */
const fixed = {
  light: { paper: '#f6f4ef', card: '#ffffff', sunken: '#f4f3ee', ink: '#10233f' },
  dark: { paper: '#0b1420', card: '#141f2e', sunken: '#0f1926', ink: '#eaf0f7' },
} as const;

type Theme = keyof typeof fixed;
type Leaf = 'leaf' | 'leaf-hover' | 'leaf-deep' | 'leaf-tint' | 'on-leaf' | 'on-deep-soft';
type Palette = Record<Leaf, string>;

const black: Rgb = [0, 0, 0];
const white: Rgb = [255, 255, 255];

/** WCAG 2 asks this of text. */
const contrastMin = 4.5;

function lightPalette(colour: Rgb): Palette {
  return {
    leaf: hexOf(colour),
    'leaf-hover': mixed(colour, black, 0.18),
    'leaf-deep': mixed(colour, black, 0.36),
    'leaf-tint': mixed(colour, white, 0.885),
    'on-leaf': hexOf(white),
    'on-deep-soft': mixed(colour, white, 0.76),
  };
}

function darkPalette(colour: Rgb, lightened: number): Palette {
  const leaf = mixed(colour, white, lightened);
  return {
    leaf,
    'leaf-hover': mixed(rgbOf(leaf), white, 0.2),
    'leaf-deep': mixed(colour, black, 0.54),
    'leaf-tint': mixed(colour, rgbOf(fixed.dark.card), 0.75),
    'on-leaf': mixed(colour, black, 0.75),
    'on-deep-soft': mixed(colour, white, 0.76),
  };
}

/** No lighter than it has to be: the darker the colour, the more white its dark theme takes. */
function darkPaletteOf(colour: Rgb): Palette {
  for (let lightened = 0.3; ; lightened += 0.05) {
    const palette = darkPalette(colour, lightened);
    if (lowestContrast('dark', palette) >= contrastMin || lightened > 0.7) return palette;
  }
}

/** The lowest contrast of a text with what it stands on. */
function lowestContrast(theme: Theme, palette: Palette): number {
  const { paper, card, sunken, ink } = fixed[theme];
  const pairs = [
    ...[paper, card, sunken, palette['leaf-tint']].map((ground) => [palette.leaf, ground] as const),
    ...[palette.leaf, palette['leaf-hover']].map((ground) => [palette['on-leaf'], ground] as const),
    ...[hexOf(white), palette['on-deep-soft']].map((text) => [text, palette['leaf-deep']] as const),
    [ink, palette['leaf-tint']] as const,
  ];
  return Math.min(...pairs.map(([text, ground]) => contrastOf(text, ground)));
}

/** What is wrong with a lender's colour: text in it, or on it, could not be read. */
export function faintIn(colour: string): string | undefined {
  const rgb = rgbOf(colour);
  const contrast = Math.min(
    lowestContrast('light', lightPalette(rgb)),
    lowestContrast('dark', darkPaletteOf(rgb)),
  );
  if (contrast >= contrastMin) return undefined;
  const shown = Math.floor(contrast * 100) / 100;
  return `is too light to be read: its contrast is ${shown.toFixed(2)}, where text needs ${contrastMin}; take a darker one`;
}

/** A style element that puts the lender's colour into both themes; paper is always printed in the light one. */
export function colourStyle(colour: string | undefined): string {
  if (colour === undefined) return '';
  const rgb = rgbOf(colour);
  const rule = (palette: Palette) =>
    `:root{${Object.entries(palette)
      .map(([name, value]) => `--color-${name}:${value};`)
      .join('')}}`;
  const dark = `@media screen and (prefers-color-scheme:dark){${rule(darkPaletteOf(rgb))}}`;
  return `<style>${rule(lightPalette(rgb))}${dark}</style>`;
}

function rgbOf(hex: string): Rgb {
  const part = (from: number) => Number.parseInt(hex.slice(from, from + 2), 16);
  return [part(1), part(3), part(5)];
}

const hexOf = (rgb: Rgb): string => `#${rgb.map((part) => part.toString(16).padStart(2, '0')).join('')}`;

/** As CSS has it: `color-mix(in srgb, colour, other share)`. */
function mixed(colour: Rgb, other: Rgb, share: number): string {
  const part = (index: 0 | 1 | 2) => Math.round(colour[index] * (1 - share) + other[index] * share);
  return hexOf([part(0), part(1), part(2)]);
}

/** WCAG 2's contrast ratio, from 1 to 21. */
function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminanceOf(hex: string): number {
  const linear = (part: number) => {
    const share = part / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  const [red, green, blue] = rgbOf(hex);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}
