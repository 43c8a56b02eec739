import path from 'node:path';

/**
 * For a process that lives for seconds: optimising the embedded database would take a third of a start's processor time,
 * and the process ends before that pays.
 */
export const shortLived = ['--liftoff-only'];

/**
 * Returns the program that Node runs as the server or its console: the build's if the run has
 * one, or else the sources.
 */
export function programOf(name: 'main' | 'books/console'): string[] {
  const named = process.env.TEST_BUILD_DIR;
  if (!named) return [...shortLived, '--import', 'tsx', `server/${name}.ts`];
  return [...shortLived, path.join(path.resolve(named), 'server', `${path.basename(name)}.js`)];
}
