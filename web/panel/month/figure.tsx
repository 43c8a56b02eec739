import { DownloadIcon, Table2Icon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { csvPieces } from '#contract/csv.ts';
import { csvColumnsOf, type MonthTable, showCell } from '#contract/month-tables.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { saveFile } from '#web/lib/save-file.ts';
import { IconButton } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { EmptyLoom } from '#web/ui/empty-loom.tsx';
import { Tooltip } from '#web/ui/tooltip.tsx';

const words = panel.month;

/** The kinds of columns whose figures stand below each other. */
const numeric = ['money', 'count', 'percent'];

export function TableOf({ table }: { table: MonthTable }) {
  const { name, columns, rows } = table;
  const lookOf = (index: number) =>
    numeric.includes(columns[index]?.kind ?? '') ? 'text-right tabular-nums' : 'text-left';
  return (
    <table className="w-full text-14">
      <caption className="sr-only">{name}</caption>
      <thead className="text-12 text-ink-soft">
        <tr>
          {columns.map(({ head }, index) => (
            <th key={head} scope="col" className={classNames('pb-1 pl-3 first:pl-0', lookOf(index))}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {rows.map(([first = null, ...rest]) => (
          <tr key={String(first)}>
            <th scope="row" className={classNames('whitespace-nowrap py-1.5 pr-3 font-semibold', lookOf(0))}>
              {showCell(first, columns[0]?.kind ?? 'text')}
            </th>
            {rest.map((value, index) => (
              <td
                key={columns[index + 1]?.head}
                className={classNames('whitespace-nowrap py-1.5 pl-3', lookOf(index + 1))}
              >
                {showCell(value, columns[index + 1]?.kind ?? 'text')}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Stands for a picture that has nothing to draw yet. */
const EmptyPicture = ({ label }: { label: string }) => (
  <div role="img" aria-label={label} className="my-auto py-6">
    <EmptyLoom />
    <p aria-hidden="true" className="mt-4 text-center text-14 text-ink-soft">
      {words.noneText}
    </p>
  </div>
);

type FigureProps = {
  /** The figure's name; `title` is the sentence that says what it shows. */
  table: MonthTable;
  title: string;
  /** Names its file. */
  file: string;
  /** The picture's name where it has nothing to draw. */
  empty: string | false;
  children: ReactNode;
};

/** A picture under the sentence that says what it shows; as a table on request, which is its file too. */
export function Figure({ table, title, file, empty, children }: FigureProps) {
  const [isTable, setTable] = useState(false);
  const save = () =>
    saveFile(
      new Blob([...csvPieces(csvColumnsOf(table), table.rows)], { type: 'text/csv;charset=utf-8' }),
      file,
    );
  return (
    <figure aria-label={table.name} className="flex min-w-0 break-inside-avoid flex-col">
      <Card className="flex grow flex-col">
        <div className="flex items-start justify-between gap-x-3">
          <figcaption>
            <h2 className="font-heading text-16 font-bold">{title}</h2>
          </figcaption>
          <span className="-mr-2 -mt-1.5 flex shrink-0 text-leaf print:hidden">
            <Tooltip text={words.asTable}>
              <IconButton
                size="small"
                label={words.asTable}
                aria-pressed={isTable}
                className="aria-pressed:bg-leaf-tint"
                onClick={() => setTable((was) => !was)}
              >
                <Table2Icon />
              </IconButton>
            </Tooltip>
            <Tooltip text={words.csvOf(table.name)}>
              <IconButton size="small" label={words.csvOf(table.name)} onClick={save}>
                <DownloadIcon />
              </IconButton>
            </Tooltip>
          </span>
        </div>
        {isTable ? (
          <div className="mt-3">
            <TableOf table={table} />
          </div>
        ) : empty === false ? (
          children
        ) : (
          <EmptyPicture label={empty} />
        )}
      </Card>
    </figure>
  );
}
