import { useEffect, useState } from 'react';
import type { KeptValues } from './form.ts';
import { useSession } from './session.tsx';
import { readStored, writeStored } from './stored-value.ts';
import { readToken, typedKey } from './token.ts';

// Typed values stay in the tab until they are sent (§typed-values): the account's id first, then the values of each form.

type Typed = Record<string, string | number>;

const isKept = (name: string, value: unknown): value is string | number =>
  (typeof value === 'string' || Number.isFinite(value)) && !/password|code|otp|url/i.test(name);

/**
 * Keeps what is typed into a form of `useSchemaForm`, but never passwords, codes and photos. `untilClosed`:
 * only a session's end or a reload leaves it behind, not the form's own closing.
 */
export function useTypedValues(
  form: string | undefined,
  { untilClosed = false } = {},
): KeptValues | undefined {
  const session = useSession();
  const id = session.state === 'signedIn' ? session.user.id : undefined;
  const [kept] = useState(() => (id === undefined || form === undefined ? undefined : keptValues(id, form)));
  useEffect(
    () => () => {
      if (untilClosed && readToken() !== undefined) kept?.forget();
    },
    [kept, untilClosed],
  );
  return kept;
}

export function keptValues(id: number, form: string): KeptValues {
  const whose = `${id} `;

  function readAll(): Record<string, Typed> {
    const stored = readStored(typedKey, 'sessionStorage');
    if (!stored?.startsWith(whose)) return {};
    try {
      return JSON.parse(stored.slice(whose.length));
    } catch {
      return {};
    }
  }

  function write(typed: Typed) {
    const { [form]: _, ...others } = readAll();
    const all = Object.keys(typed).length > 0 ? { ...others, [form]: typed } : others;
    writeStored(
      typedKey,
      Object.keys(all).length > 0 ? whose + JSON.stringify(all) : undefined,
      'sessionStorage',
    );
  }

  let hasRestored = false;
  return {
    read() {
      const typed = readAll()[form] ?? {};
      hasRestored = Object.keys(typed).length > 0;
      return typed;
    },
    hasRestored: () => hasRestored,
    write(values, defaults) {
      const begun = new Map(Object.entries(defaults));
      const changed = Object.entries(values).filter(
        ([name, value]) => isKept(name, value) && !Object.is(value, begun.get(name)),
      );
      write(Object.fromEntries(changed) as Typed);
    },
    forget() {
      hasRestored = false;
      write({});
    },
  };
}
