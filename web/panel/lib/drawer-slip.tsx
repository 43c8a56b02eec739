import { PrinterIcon } from 'lucide-react';
import type { DayReport } from '#contract/collection.ts';
import { home } from '#contract/wording/en-home.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { lender } from '#web/lib/lender.ts';
import { Button } from '#web/ui/button.tsx';
import { DefinitionRows } from '#web/ui/definition-rows.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { dateTime, showPeso } from './format.ts';

const words = panel.drawer;

/** A drawer that is closed, with what was counted. */
export type ClosedDrawer = DayReport['drawers'][number];

/** The slip of a closed drawer, to be printed and signed by two (§drawer). */
export function DrawerSlip({ drawer, onClose }: { drawer: ClosedDrawer; onClose: () => void }) {
  const { by, openedAt, closedAt, closedBy, float, cashIn, cashOut, expected, counted, difference, reason } =
    drawer;
  const counts = (amount: string, count: string) => `${showPeso(amount)} (${count})`;
  return (
    <Dialog
      size="paper"
      title={words.slip}
      description={lender().name}
      closeLabel={home.shell.close}
      onClose={onClose}
    >
      <DefinitionRows
        ruled
        size={14}
        rows={[
          { term: words.of, value: <bdi>{by}</bdi> },
          { term: words.openedOn, value: dateTime(openedAt) },
          { term: words.state, value: closedAt && dateTime(closedAt) },
          { term: words.closedByLabel, value: closedBy && <bdi>{closedBy}</bdi> },
          { term: words.floatWas, value: showPeso(float) },
          { term: words.cashIn, value: counts(cashIn.amount, words.payments(cashIn.count)) },
          { term: words.cashOut, value: counts(cashOut.amount, words.times(cashOut.count)) },
          { term: words.expected, value: showPeso(expected), strong: true },
          { term: words.counted, value: counted && showPeso(counted), strong: true },
          { term: words.difference, value: difference && showPeso(difference), strong: true },
          { term: words.reason, value: reason },
        ]}
      />
      <div className="mt-14 grid grid-cols-2 gap-10 text-12 text-ink-soft">
        {[words.countedBy, words.checkedBy].map((line) => (
          <p key={line} className="border-t border-ink pt-1.5">
            {line}
          </p>
        ))}
      </div>
      <DialogActions className="mt-8">
        <Button look="secondary" onClick={onClose}>
          {words.slipDone}
        </Button>
        <Button icon={<PrinterIcon />} onClick={() => window.print()}>
          {words.print}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
