import { type ComponentType, createElement, type ReactNode, useEffect, useState } from 'react';

/**
 * Loads the document anew after a retry that failed too. Many browsers remember for as long as the document
 * lives that a module, or one that it imports, could not be fetched. A new document makes them ask again;
 * offline there would be none.
 */
export async function reloadIfOnline(): Promise<void> {
  const isOnline = await fetch(location.href, { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (isOnline) location.reload();
}

type PropsOf<Component> = Component extends (props: infer Props extends object) => ReactNode ? Props : never;

/** `shape` holds its place while it is fetched. */
export type LazyPart<Props = object> = ComponentType<Props & { shape?: ReactNode }> & {
  /** Starts fetching it. A failure surfaces when it is drawn. */
  preload: () => void;
  /** Like `preload`; resolves to whether it succeeded. */
  load: () => Promise<boolean>;
};

/**
 * A page, dialog or part that is fetched when it is first drawn, or before. Where it could not be fetched the nearest
 * `PageBoundary` says so; drawn again, it is fetched again. Not `React.lazy`, which keeps a failure, and a fallback for 300 ms.
 */
export function lazyPart<Fetched, Name extends keyof Fetched>(
  fetchModule: () => Promise<Fetched>,
  name: Name,
): LazyPart<PropsOf<Fetched[Name]>> {
  type Props = PropsOf<Fetched[Name]>;
  let failures = 0;
  let fetched: ComponentType<Props> | undefined;
  let failure: unknown;
  let started: Promise<boolean> | undefined;
  /**
   * Many browsers remember until the page is left that a module could not be fetched. A new address makes them ask again. The
   * module's own imports keep theirs, so nothing is loaded twice.
   */
  const fetchPart = async (): Promise<Fetched> => {
    // The address is in the function's own text: not every browser's error has it. All chunks are in one folder.
    const [, address] = (failures > 0 && /import\(["'`](.+?)["'`]/.exec(`${fetchModule}`)) || [];
    return address ? import(/* @vite-ignore */ `${address}?retry=${failures}`) : fetchModule();
  };
  const load = () => {
    started ??= fetchPart().then(
      (module) => {
        fetched = module[name] as ComponentType<Props>;
        return true;
      },
      (error: unknown) => {
        failure = error;
        failures += 1;
        started = undefined;
        return false;
      },
    );
    return started;
  };
  // biome-ignore lint/correctness/noComponentHookFactories: at module level only, like React's own lazy
  const Part = ({ shape, ...props }: Props & { shape?: ReactNode }) => {
    const [isHere, setHere] = useState<boolean | undefined>(fetched && true);
    useEffect(() => {
      if (isHere === undefined) void load().then(setHere);
    }, [isHere]);
    if (isHere === false) throw failure;
    return fetched ? createElement(fetched, props as unknown as Props) : shape;
  };
  return Object.assign(Part, { load, preload: () => void load() });
}

export const lazyPage = (fetchModule: () => Promise<{ default: (props: object) => ReactNode }>): LazyPart =>
  lazyPart(fetchModule, 'default');
