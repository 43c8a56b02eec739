import { Fragment, useCallback, useMemo } from 'react';
import { useSearch } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import { parseManilaDate } from '#domain/calendar.ts';
import { addressOf } from '#web/lib/call.ts';
import { DayField } from './day-field.tsx';

/** Reads each parameter of the address; undefined if its text is not a value. */
export type Readings<Name extends string> = Readonly<Record<Name, (text: string) => string | undefined>>;

export type AddressChange<Name extends string> = Partial<Record<Name, string | number | undefined>>;

export const dayFilter = (text: string): string | undefined => parseManilaDate(text);

export const idFilter = (text: string): string | undefined =>
  /^[1-9]\d{0,15}$/.test(text) ? text : undefined;

export const oneOf =
  (known: readonly string[]) =>
  (text: string): string | undefined =>
    known.find((value) => value === text);

/** Empty values for all names of a query, which take them out of the address. */
export const blank = (query: object) => Object.fromEntries(Object.keys(query).map((name) => [name, '']));

/**
 * Reads the filters in the address, and changes them without history entries. `readings` must be a constant.
 */
export function useAddress<Name extends string>(readings: Readings<Name>) {
  const search = useSearch();
  const query = useMemo(() => {
    const given = new URLSearchParams(search);
    const names = Object.keys(readings) as Name[];
    const read = (name: Name) => readings[name](given.get(name) ?? '') ?? '';
    return Object.fromEntries(names.map((name) => [name, read(name)])) as Record<Name, string>;
  }, [search, readings]);
  const put = useCallback(
    (change: AddressChange<Name>) => {
      // The address itself is read, since two changes may come before a re-render.
      const present = Object.fromEntries(new URLSearchParams(location.search));
      const next = { ...blank(readings), ...present, ...change };
      navigate(addressOf(location.pathname, {}, next), { replace: true });
    },
    [readings],
  );
  return { query, put };
}

type DayFiltersProps<Name extends string> = {
  view: { filters: Record<Name, string>; show: (change: AddressChange<Name>) => void };
  labels: Readonly<Partial<Record<Name, string>>>;
};

export function DayFilters<Name extends string>({ view, labels }: DayFiltersProps<Name>) {
  return (
    <span className="flex items-center gap-2.5 whitespace-nowrap text-14 text-ink-soft">
      {(Object.entries(labels) as [Name, string][]).map(([name, label]) => (
        <Fragment key={name}>
          <span aria-hidden="true">{label}</span>
          <DayField
            label={label}
            labelHidden
            fieldClassName="w-36 shrink-0"
            value={view.filters[name]}
            onChange={({ currentTarget: { value } }) => view.show({ [name]: value } as AddressChange<Name>)}
          />
        </Fragment>
      ))}
    </span>
  );
}
