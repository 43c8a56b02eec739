import * as api from '#contract/api.ts';
import { loanAccountPath } from '#contract/routes.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { showPeso } from '#web/lib/format.ts';
import { useRead } from '#web/lib/query.tsx';
import { PanelLink, PanelRow } from '#web/panel/lib/details.tsx';
import { accountText } from './loan-text.ts';

const words = panel.memberLoans;

type MemberLoansProps = {
  userId: number;
  /** Shows only the loans before this one, in the panel of an application. */
  before?: number;
};

export function MemberLoans({ userId, before }: MemberLoansProps) {
  const read = useRead(api.listLoans, { query: { userId: String(userId) }, anew: true });
  const loans = read.data?.filter(({ id, user }) => user.id === userId && (!before || id < before));
  const title = before ? words.earlier : words.all;
  if (!loans?.length) {
    const text = read.isError ? words.failed : loans ? words.none : panel.list.searching;
    return <PanelRow label={title} value={text} />;
  }
  return (
    <section className="border-t border-line py-3">
      <h3 className="text-12 text-ink-soft">{title}</h3>
      <ul>
        {loans.map((loan) => (
          <li key={loan.id} className="flex flex-wrap items-center justify-between gap-x-3 text-14">
            <span className="tabular-nums">
              <strong>{showPeso(loan.amount)}</strong> · {accountText(loan)}
              {!before && <span className="block text-12 text-ink-soft">{loan.loanNumber}</span>}
            </span>
            {(!before || loan.account) && (
              <span className="-mr-3 ml-auto">
                <PanelLink href={loanAccountPath(loan.id)}>
                  {before ? loan.loanNumber : panel.servicing.openAccount}
                </PanelLink>
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
