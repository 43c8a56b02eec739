import { type ComponentType, type LazyExoticComponent, lazy, useEffect, useState } from 'react';

type Module<Props> = { default: ComponentType<Props> };

export type LazyPage<Props = object> = LazyExoticComponent<ComponentType<Props>> & {
  /** Starts fetching the chunk. A failure surfaces on render. */
  preload: () => void;
  /** Like `preload`; resolves to whether it succeeded. */
  load: () => Promise<boolean>;
  isHere: () => boolean;
};

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
 * A thenable that resolves synchronously. With a real promise React would show the Suspense fallback for a moment, and
 * then keep it on screen for 300 ms.
 */
const settled = <Value>(value: Value) =>
  // biome-ignore lint/suspicious/noThenProperty: a deliberate thenable
  ({ then: (resolve: (value: Value) => unknown) => resolve(value) }) as unknown as Promise<Value>;

/**
 * A lazily loaded part of a page: undefined while loading, null if it could not be fetched, since the page works
 * without it. `fetchPart` must be a stable function.
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
