import {
  type ComponentType,
  createElement,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useRef,
  useState,
} from 'react';

type Module<Props> = { default: ComponentType<Props> };

export type LazyPage<Props = object> = ComponentType<Props> & {
  /** Starts fetching the chunk. A failure surfaces on render. */
  preload: () => void;
  /** Like `preload`; resolves to whether it succeeded. */
  load: () => Promise<boolean>;
  isHere: () => boolean;
};

/** Forgets a failure of each page that was drawn without its chunk. */
const failures = new Set<() => void>();

/** Has every page that could not be fetched fetch again, when it is next drawn. */
export function retryFailedPages(): void {
  for (const forget of failures) forget();
  failures.clear();
}

/**
 * Many browsers remember until the page is left that a module could not be fetched. A new address makes them ask again. The
 * module's own imports keep theirs, so nothing is loaded twice.
 */
function importAgain<Module>(fetchModule: () => Promise<Module>): () => Promise<Module> {
  let failures = 0;
  return async () => {
    try {
      // The address is in the function's own text: not every browser's error has it. All chunks are in one folder.
      const [, address] = (failures > 0 && /import\(["'`](.+?)["'`]/.exec(`${fetchModule}`)) || [];
      return await (address ? import(/* @vite-ignore */ `${address}?retry=${failures}`) : fetchModule());
    } catch (error) {
      failures += 1;
      throw error;
    }
  };
}

/**
 * For a retry that failed too. Many browsers remember for as long as the document lives that a module, or one that it imports,
 * could not be fetched. A new document makes them ask again; offline there would be none.
 */
export async function reloadIfOnline(): Promise<void> {
  const isOnline = await fetch(location.href, { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (isOnline) location.reload();
}

export const lazyPage = <Props extends object = object>(fetchModule: () => Promise<Module<Props>>) =>
  lazyOf(importAgain(fetchModule));

function lazyOf<Props extends object>(fetchPage: () => Promise<Module<Props>>): LazyPage<Props> {
  let started: Promise<Module<Props>> | undefined;
  let fetched: Module<Props> | undefined;
  const start = () => {
    started ??= fetchPage().then((module) => {
      fetched = module;
      return module;
    });
    return started;
  };
  const draw = () => {
    if (fetched) return settled(fetched);
    failures.add(forget);
    return start();
  };
  // React keeps a failure with the lazy component, so trying again takes another one.
  let Drawn: ComponentType<Props> = lazy(draw);
  const forget = () => {
    if (fetched) return;
    started = undefined;
    Drawn = lazy(draw);
  };
  const load = () =>
    start().then(
      () => true,
      () => {
        started = undefined;
        return false;
      },
    );
  // biome-ignore lint/correctness/noComponentHookFactories: at module level only, like React's own lazy
  const Page = (props: Props) => createElement(Drawn, props);
  return Object.assign(Page, {
    load,
    preload: () => void load(),
    isHere: () => fetched !== undefined,
  });
}

/** Fetches the page and tells when it can be drawn (or has failed and should say so). */
export function usePageHere<Props>(page: LazyPage<Props>, isWanted = true): boolean {
  const [here, setHere] = useState<LazyPage<Props>>();
  const isHere = page.isHere() || here === page;
  useEffect(() => {
    if (isWanted && !isHere) void page.load().then(() => setHere(() => page));
  }, [page, isWanted, isHere]);
  return isHere;
}

type PropsOf<Component> = Component extends (props: infer Props extends object) => ReactNode ? Props : never;

/** The component of that name, of a module that is fetched. */
const partOf = <Fetched, Name extends keyof Fetched>(fetchModule: () => Promise<Fetched>, name: Name) => {
  const fetchPart = importAgain(fetchModule);
  return async () => (await fetchPart())[name] as ComponentType<PropsOf<Fetched[Name]>>;
};

/** A lazily loaded part, such as a dialog; nothing stands in its place while it loads. */
export function lazyPart<Fetched, Name extends keyof Fetched>(
  fetchModule: () => Promise<Fetched>,
  name: Name,
): ComponentType<PropsOf<Fetched[Name]>> & Pick<LazyPage, 'load' | 'preload'> {
  type Props = PropsOf<Fetched[Name]>;
  const fetchPart = partOf(fetchModule, name);
  const Part = lazyOf<Props>(async () => ({ default: await fetchPart() }));
  // biome-ignore lint/correctness/noComponentHookFactories: at module level only, like React's own lazy
  const Drawn = (props: Props) => createElement(Suspense, null, createElement(Part, props));
  return Object.assign(Drawn, { load: Part.load, preload: Part.preload });
}

/**
 * A thenable that resolves synchronously. With a real promise React would show the Suspense fallback for a moment, and
 * then keep it on screen for 300 ms.
 */
const settled = <Value>(value: Value) =>
  // biome-ignore lint/suspicious/noThenProperty: a deliberate thenable
  ({ then: (resolve: (value: Value) => unknown) => resolve(value) }) as unknown as Promise<Value>;

type Optional = {
  /** Holds its place while it loads. */
  shape?: ReactNode;
  /** Is there if it could not be fetched. */
  failed?: (retry: () => void) => ReactNode;
};

/** A part of a page that works without it. Fetched on every mount. */
export function optionalPart<Fetched, Name extends keyof Fetched>(
  fetchModule: () => Promise<Fetched>,
  name: Name,
  { shape = null, failed = () => null }: Optional = {},
): ComponentType<PropsOf<Fetched[Name]>> {
  const fetchPart = partOf(fetchModule, name);
  return (props) => {
    const [Part, setPart] = useState<ComponentType<PropsOf<Fetched[Name]>> | null>();
    const wasRetried = useRef(false);
    useEffect(() => {
      if (Part !== undefined) return;
      let gone = false;
      fetchPart().then(
        (part) => !gone && setPart(() => part),
        () => {
          if (gone) return;
          setPart(null);
          if (wasRetried.current) void reloadIfOnline();
        },
      );
      return () => {
        gone = true;
      };
    }, [Part]);
    if (Part === undefined) return shape;
    if (Part) return createElement(Part, props);
    return failed(() => {
      wasRetried.current = true;
      setPart(undefined);
    });
  };
}
