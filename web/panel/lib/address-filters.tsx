import { Fragment, useMemo } from 'react';
import { useSearch } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import { parseManilaDate } from '#domain/calendar.ts';
import { addressOf } from '#web/lib/call.ts';
import { TextField } from '#web/ui/text-field.tsx';

/** What of a filter's text in the address can be used; undefined is none. */
type Readings<Name extends string> = Readonly<Record<Name, (text: string) => string | undefined>>;

/** A day in the address. */
export const dayFilter = (text: string): string | undefined => parseManilaDate(text);

/** One of the known values. */
export const oneOf =
  (known: readonly string[]) =>
  (text: string): string | undefined =>
    known.find((value) => value === text);

/** A page's own filters, in the URL beside the list's view. Define `readings` outside components. */
export function useAddressFilters<Name extends string>(readings: Readings<Name>) {
  const search = useSearch();
  const query = useMemo(() => {
    const given = new URLSearchParams(search);
    const names = Object.keys(readings) as Name[];
    const read = (name: Name) => readings[name](given.get(name) ?? '') ?? '';
    return Object.fromEntries(names.map((name) => [name, read(name)])) as Record<Name, string>;
  }, [search, readings]);
  const put = (change: Partial<Record<Name, string>>) => {
    const present = Object.fromEntries(new URLSearchParams(location.search));
    navigate(addressOf(location.pathname, {}, { ...present, ...change }), { replace: true });
  };
  return {
    query,
    put,
    isSet: Object.values(query).some((value) => value !== ''),
    clear: () => put(Object.fromEntries(Object.keys(query).map((name) => [name, ''])) as typeof query),
  };
}

type DayFieldsProps<Name extends string> = {
  filters: Pick<ReturnType<typeof useAddressFilters<Name>>, 'query' | 'put'>;
  labels: Readonly<Partial<Record<Name, string>>>;
};

/** Date fields in one line, each with its word before it. */
export function DayFilters<Name extends string>({ filters: { query, put }, labels }: DayFieldsProps<Name>) {
  return (
    <span className="flex items-center gap-2.5 whitespace-nowrap text-14 text-ink-soft">
      {(Object.entries(labels) as [Name, string][]).map(([name, label]) => (
        <Fragment key={name}>
          <span aria-hidden="true">{label}</span>
          <TextField
            type="date"
            label={label}
            labelHidden
            fieldClassName="w-36 shrink-0"
            value={query[name]}
            onChange={({ currentTarget: { value } }) => put({ [name]: value } as Record<Name, string>)}
          />
        </Fragment>
      ))}
    </span>
  );
}
