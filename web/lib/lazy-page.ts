import {
  type ComponentType,
  createElement,
  type LazyExoticComponent,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useState,
} from 'react';

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

/** A lazily loaded part, such as a dialog; nothing stands in its place while it loads. */
export function lazyPart<Props extends object = object>(
  fetchPart: () => Promise<ComponentType<Props>>,
): ComponentType<Props> & Pick<LazyPage, 'load' | 'preload'> {
  const Part = lazyPage<Props>(async () => ({ default: await fetchPart() }));
  // biome-ignore lint/correctness/noComponentHookFactories: at module level only, like React's own lazy
  const Drawn = (props: Props) =>
    createElement(Suspense, null, createElement(Part as ComponentType<Props>, props));
  return Object.assign(Drawn, { load: Part.load, preload: Part.preload });
}

/**
 * A thenable that resolves synchronously. With a real promise React would show the Suspense fallback for a moment, and
 * then keep it on screen for 300 ms.
 */
const settled = <Value>(value: Value) =>
  // biome-ignore lint/suspicious/noThenProperty: a deliberate thenable
  ({ then: (resolve: (value: Value) => unknown) => resolve(value) }) as unknown as Promise<Value>;

/**
 * A part of a page that works without it: `shape` holds its place while it loads, and `failed` is there if it could not
 * be fetched. Fetched on every mount.
 */
export function optionalPart<Props extends object = object>(
  fetchPart: () => Promise<ComponentType<Props>>,
  shape: ReactNode = null,
  failed: ReactNode = null,
): ComponentType<Props> {
  return (props) => {
    const [Part, setPart] = useState<ComponentType<Props> | null>();
    useEffect(() => {
      let gone = false;
      fetchPart().then(
        (fetched) => !gone && setPart(() => fetched),
        () => !gone && setPart(null),
      );
      return () => {
        gone = true;
      };
    }, []);
    if (Part === undefined) return shape;
    return Part ? createElement(Part, props) : failed;
  };
}
