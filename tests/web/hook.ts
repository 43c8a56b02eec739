import { createElement, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { onTestFinished, vi } from 'vitest';
import { type Language, LanguageProvider, useLanguage } from '#web/lib/language.tsx';

/** Draws nothing, so that React needs no document. */
function Caller({ onDraw }: { onDraw: () => void }) {
  onDraw();
  return null;
}

/** Stands in for an element, as much as React's root needs. */
const emptyElement = () => ({
  nodeType: 1,
  nodeName: 'DIV',
  tagName: 'DIV',
  addEventListener() {},
  ownerDocument: { nodeType: 9, addEventListener() {}, activeElement: null },
});

type Around = (children: ReactNode) => ReactNode;

/** Runs a hook in a component of its own, inside what `around` puts around it, until `unmount` is called. */
function mountHook<Value>(hook: () => Value, around: Around) {
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('HTMLIFrameElement', class {});
  const drawn: Value[] = [];
  const root = createRoot(emptyElement() as unknown as HTMLElement);
  flushSync(() => root.render(around(createElement(Caller, { onDraw: () => void drawn.push(hook()) }))));
  return {
    /** The value returned at each drawing. */
    drawn,
    /** Returns the last of them. */
    now(): Value {
      const last = drawn.at(-1);
      if (last === undefined) throw new Error('the hook was not called');
      return last;
    },
    unmount: () => flushSync(() => root.unmount()),
  };
}

/** Runs a hook in a component of its own, inside what `around` puts around it, until the test is over. */
export function runHook<Value>(hook: () => Value, around: Around = (children) => children) {
  const running = mountHook(hook, around);
  onTestFinished(running.unmount);
  return running;
}

/** Makes a language this browser's choice, as its reader does. It is the app's until another is chosen. */
export async function speak(language: Language): Promise<void> {
  const choice = mountHook(useLanguage, (children) => createElement(LanguageProvider, null, children));
  await choice.now().setLanguage(language);
  choice.unmount();
}
