/** The encoder of parameters that `pg` uses itself; exported by the package, missing in its types. */
declare module 'pg/lib/utils.js' {
  const utils: { prepareValue(value: unknown): string | Buffer | null };
  export default utils;
}
