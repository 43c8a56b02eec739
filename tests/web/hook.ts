import { createElement, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { onTestFinished, vi } from 'vitest';

/** Draws nothing, so that React needs no document. */
function Caller({ onDraw }: { onDraw: () => void }) {
  onDraw();
  return null;
}

/** As much of an element as React's root hangs on. */
const emptyElement = () => ({
  nodeType: 1,
  nodeName: 'DIV',
  tagName: 'DIV',
  addEventListener() {},
  ownerDocument: { nodeType: 9, addEventListener() {}, activeElement: null },
});

/** Runs a hook in a component of its own, inside what `around` puts around it. Taken down when the test is over. */
export function runHook<Value>(
  hook: () => Value,
  around: (children: ReactNode) => ReactNode = (children) => children,
) {
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('HTMLIFrameElement', class {});
  const drawn: Value[] = [];
  const root = createRoot(emptyElement() as unknown as HTMLElement);
  flushSync(() => root.render(around(createElement(Caller, { onDraw: () => void drawn.push(hook()) }))));
  const unmount = () => flushSync(() => root.unmount());
  onTestFinished(unmount);
  return {
    /** What it returned at each drawing. */
    drawn,
    /** What it returned last. */
    now(): Value {
      const last = drawn.at(-1);
      if (last === undefined) throw new Error('the hook was not called');
      return last;
    },
    unmount,
  };
}
