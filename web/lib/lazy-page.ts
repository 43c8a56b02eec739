import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

type Module<Props> = { default: ComponentType<Props> };

export type LazyPage<Props = object> = LazyExoticComponent<ComponentType<Props>> & {
  /** Starts fetching the chunk before it is drawn. A failure shows when the page is drawn. */
  preload: () => void;
};

/** A page in a chunk of its own, which can be sent for early. */
export function lazyPage<Props = object>(load: () => Promise<Module<Props>>): LazyPage<Props> {
  let started: Promise<Module<Props>> | undefined;
  const start = () => {
    started ??= load();
    return started;
  };
  const preload = () => {
    start().catch(() => {
      started = undefined;
    });
  };
  return Object.assign(lazy(start), { preload });
}
