/** A sentence, or the function that makes it, or title and message of a notice. */
export type Words = string | ((...given: never[]) => string | object);

/** Every word of a wording by its path: 'validation.phoneRequired'. */
export function wordsByPath(wording: object, before = ''): Map<string, Words> {
  return new Map(
    Object.entries(wording).flatMap(([key, value]): [string, Words][] =>
      typeof value === 'object' && value !== null
        ? [...wordsByPath(value, `${before}${key}.`)]
        : [[`${before}${key}`, value]],
    ),
  );
}

/**
 * Stands for whatever a sentence is made of: as the nth thing handed over it prints itself as `«n»`, and each of its
 * parts as `«n.part»`, so that one sees in the sentence what it mentions. A list prints itself where it is joined, and a number
 * where its thousands are grouped.
 */
function standInFor(position: number): never {
  const text = (part?: string) => (part === undefined ? `«${position}»` : `«${position}.${part}»`);
  const readPart = (_: object, part: string | symbol) =>
    typeof part === 'symbol' || ['join', 'toLocaleString'].includes(part) ? () => text() : text(part);
  return new Proxy({}, { get: readPart }) as never;
}

/** A sentence as it reads, with stand-ins for what it is made of. */
export function saidOf(words: Words): string {
  const said = typeof words === 'string' ? words : words(...[1, 2, 3].map(standInFor));
  return typeof said === 'string' ? said : Object.values(said).join(' ');
}
