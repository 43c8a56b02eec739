import { home } from '#contract/wording/en-home.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { centavos, pesosText } from '#domain/money.ts';
import type { PaymentChannel } from '#domain/payment.ts';
import type { StatementLine } from '#domain/statement.ts';
import { QueryStates } from '#web/lib/query-states.tsx';
import { Warning } from '#web/panel/lib/details.tsx';
import { showPeso } from '#web/panel/lib/format.ts';
import { useLoanAccount } from '#web/panel/lib/staff-rows.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { SkeletonText } from '#web/ui/skeleton.tsx';
import { LoanStepDialog } from './loan-step-dialog.tsx';

const words = panel.statement;

type Props = {
  line: Omit<StatementLine, 'text'> & { channel: PaymentChannel; paymentId?: number | undefined };
  loanId: number;
  onDone: (status: 'confirmed' | 'waiting') => void;
  onClose: () => void;
};

/**
 * Books a line of a statement that is perhaps a payment, once somebody has looked: by the form for a payment, filled in from
 * the line. Its rules and limits are those of a payment by hand.
 */
export function LineDialog({ line, loanId, onDone, onClose }: Props) {
  const { channel, paymentId, reference, date: valueDate } = line;
  const query = useLoanAccount(loanId);
  const payment = query.data?.payments.find(({ id }) => id === paymentId);
  if (!query.data || (paymentId !== undefined && !payment)) {
    return (
      <Dialog title={words.look} closeLabel={home.shell.close} onClose={onClose}>
        <QueryStates query={query} skeleton={<SkeletonText lines={5} />} failedTitle={words.failedToLook}>
          {() => <p>{words.paymentGone}</p>}
        </QueryStates>
      </Dialog>
    );
  }
  const amount = pesosText(centavos(line.amountCentavos));
  const { dueNow, nextDueAmount } = query.data.account;
  return (
    <LoanStepDialog
      loanId={loanId}
      step={payment ? { kind: 'confirm', payment } : { kind: 'payment' }}
      given={{ amount: amount.replace(/\.00$/, ''), ...(!payment && { channel, reference, valueDate }) }}
      notice={
        <Warning isSaid>
          {payment
            ? words.amountSent(showPeso(amount), showPeso(payment.amount))
            : words.amountDue(showPeso(amount), showPeso(dueNow), showPeso(nextDueAmount))}
        </Warning>
      }
      onDone={(answer) =>
        onDone('status' in answer && answer.status === 'confirmed' ? 'confirmed' : 'waiting')
      }
      onClose={onClose}
    />
  );
}
