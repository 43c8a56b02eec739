/** Does the same work several times at once. */
export const atOnce = <Value>(count: number, work: (index: number) => Value): Promise<Awaited<Value>[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));
