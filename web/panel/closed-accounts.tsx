import * as api from '#contract/api.ts';
import type { Reply } from '#contract/endpoint.ts';
import { loanAccountPath } from '#contract/routes.ts';
import * as panel from '#contract/wording/panel.ts';
import { formatsOf, showPeso } from '#web/lib/format.ts';
import { useRead } from '#web/lib/query.tsx';
import { QueryStates } from '#web/lib/query-states.tsx';
import { columnsOf } from '#web/panel/lib/list-table.tsx';
import { ShortTable, type ShortTableColumn } from '#web/ui/data-table.tsx';
import { PanelLink } from './lib/details.tsx';
import { ReadAt } from './lib/read-at.tsx';

const words = panel.closedAccounts;
const { date } = formatsOf('en');

type Closed = Reply<typeof api.listClosedAccounts>['accounts'][number] & { id: number };

/** Deleted members with money left or owed (§closed-accounts); nothing where there are none. */
export function ClosedAccounts() {
  const query = useRead(api.listClosedAccounts, { anew: true });
  if (!query.data?.accounts.length && !query.isError) return null;
  return (
    <section className="flex flex-col gap-2.5">
      <div className="flex flex-wrap items-end justify-between gap-x-4">
        <div>
          <h2 className="font-heading text-20 font-bold">{words.title}</h2>
          <p className="text-14 text-ink-soft">{words.text}</p>
        </div>
        <ReadAt query={query} reads={[api.listClosedAccounts]} />
      </div>
      <QueryStates query={query} framed failedTitle={words.failed} skeleton={null}>
        {({ accounts }) => (
          <ShortTable
            label={words.title}
            columns={columns}
            rows={accounts.map((account) => ({ ...account, id: account.userId }))}
          />
        )}
      </QueryStates>
    </section>
  );
}

const columns = columnsOf<ShortTableColumn<Closed>, typeof words.columns>(words.columns, {
  account: {
    width: 'minmax(11rem, 2fr)',
    cell: ({ fullName, id }) => <span className="block truncate">{fullName ?? words.erased(id)}</span>,
  },
  loans: {
    width: 'minmax(9rem, 2fr)',
    cell: ({ loans }) => (
      <span className="flex flex-wrap gap-x-3">
        {loans.map(({ loanId, loanNumber, credit }) => (
          <span key={loanId} className="inline-flex flex-wrap gap-x-1.5">
            <PanelLink href={loanAccountPath(loanId)}>{loanNumber}</PanelLink>
            {credit !== '0.00' && words.credit(showPeso(credit))}
          </span>
        ))}
      </span>
    ),
  },
  wallet: { width: '9rem', numeric: true, cell: ({ balance }) => showPeso(balance) },
  owed: { width: '9rem', numeric: true, cell: ({ owed }) => showPeso(owed) },
  closed: { width: '7rem', cell: ({ closedAt }) => date(closedAt) },
});
