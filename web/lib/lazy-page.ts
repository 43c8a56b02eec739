import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

type Module<Props> = { default: ComponentType<Props> };

export type LazyPage<Props = object> = LazyExoticComponent<ComponentType<Props>> & {
  /** Starts fetching the chunk before it is drawn. A failure shows when the page is drawn. */
  preload: () => void;
  /** The same, and tells whether it is there now. */
  load: () => Promise<boolean>;
};

/** A page in a chunk of its own, which can be sent for early. */
export function lazyPage<Props = object>(fetchModule: () => Promise<Module<Props>>): LazyPage<Props> {
  let started: Promise<Module<Props>> | undefined;
  const start = () => {
    started ??= fetchModule();
    return started;
  };
  const load = () =>
    start().then(
      () => true,
      () => {
        started = undefined;
        return false;
      },
    );
  return Object.assign(lazy(start), { load, preload: () => void load() });
}
