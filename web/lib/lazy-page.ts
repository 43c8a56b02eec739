import { type ComponentType, type LazyExoticComponent, lazy, useEffect, useState } from 'react';

type Module<Props> = { default: ComponentType<Props> };

export type LazyPage<Props = object> = LazyExoticComponent<ComponentType<Props>> & {
  /** Starts fetching the chunk before it is drawn. A failure shows when the page is drawn. */
  preload: () => void;
  /** The same, and tells whether it is there now. */
  load: () => Promise<boolean>;
  /** Whether it can be drawn at once. */
  isHere: () => boolean;
};

/** A page in a chunk of its own, which can be sent for early. */
export function lazyPage<Props = object>(fetchModule: () => Promise<Module<Props>>): LazyPage<Props> {
  let started: Promise<Module<Props>> | undefined;
  let fetched: Module<Props> | undefined;
  const start = () => {
    started ??= fetchModule().then((module) => {
      fetched = module;
      return module;
    });
    return started;
  };
  const draw = () => (fetched ? settled(fetched) : start());
  const load = () =>
    start().then(
      () => true,
      () => {
        started = undefined;
        return false;
      },
    );
  return Object.assign(lazy(draw), {
    load,
    preload: () => void load(),
    isHere: () => fetched !== undefined,
  });
}

/**
 * Answers at once, where a promise answers a moment later: React would show the fallback for that moment, and once it is
 * on the screen keep it there for 300 ms.
 */
const settled = <Value>(value: Value) =>
  // biome-ignore lint/suspicious/noThenProperty: made to be taken for a promise
  ({ then: (resolve: (value: Value) => unknown) => resolve(value) }) as unknown as Promise<Value>;

/**
 * A part of a page in a chunk of its own: undefined while it comes, and null where it could not be fetched, for the page
 * goes on without it. `fetchPart` must stay the same function.
 */
export function useLazyPart<Props>(
  fetchPart: () => Promise<ComponentType<Props>>,
): ComponentType<Props> | null | undefined {
  const [part, setPart] = useState<ComponentType<Props> | null>();
  useEffect(() => {
    let gone = false;
    fetchPart().then(
      (fetched) => !gone && setPart(() => fetched),
      () => !gone && setPart(null),
    );
    return () => {
      gone = true;
    };
  }, [fetchPart]);
  return part;
}
