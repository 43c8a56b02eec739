import type { ElementType, Key, ReactElement } from 'react';
import { jsx as draw, jsxs as drawAll, Fragment } from 'react/jsx-runtime';

// Makes every element (`vite.config.ts`), and marks those with a figure in their own text as not to be translated, so that
// amounts, numbers, codes, references and days stay true, and change on the screen when they change (§altered-pages).

type Props = { children?: unknown; translate?: 'yes' | 'no' };

const hasFigure = (child: unknown): boolean => {
  if (typeof child === 'number') return true;
  if (typeof child === 'string') return /\d/.test(child);
  if (Array.isArray(child)) return child.some(hasFigure);
  // The text of a fragment is its parent's.
  const { type, props } = (child ?? {}) as { type?: unknown; props?: Props };
  return type === Fragment && hasFigure(props?.children);
};

/** A component gets the mark too: one of a package draws its element by itself. */
function marked(type: unknown, props: Props): Props {
  const isMarkable = type !== Fragment && type !== 'title' && props.translate === undefined;
  return isMarkable && hasFigure(props.children) ? { ...props, translate: 'no' } : props;
}

export { Fragment };
export const jsx = (type: ElementType, props: Props, key?: Key): ReactElement =>
  draw(type, marked(type, props), key);
export const jsxs = (type: ElementType, props: Props, key?: Key): ReactElement =>
  drawAll(type, marked(type, props), key);
/** The same, as it is called in development. */
export const jsxDEV = (...given: Parameters<typeof jsx>): ReactElement => jsx(...given);
