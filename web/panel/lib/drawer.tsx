import { PrinterIcon } from 'lucide-react';
import { useState } from 'react';
import * as api from '#contract/api.ts';
import type { DayReport } from '#contract/collection.ts';
import { DrawerCloseForm, DrawerForm } from '#contract/drawer.ts';
import type { Reply } from '#contract/endpoint.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { centavos, parsePesos } from '#domain/money.ts';
import { useFormValues } from '#web/lib/form.ts';
import { now } from '#web/lib/lender.ts';
import { useMoneyCall } from '#web/lib/money-call.ts';
import { amountOf } from '#web/lib/pesos.ts';
import { refreshReads, useRead } from '#web/lib/query.tsx';
import { QueryStates } from '#web/lib/query-states.tsx';
import { useUser } from '#web/lib/session.tsx';
import { Button, IconButton } from '#web/ui/button.tsx';
import { CardSection } from '#web/ui/card.tsx';
import { CellLines } from '#web/ui/data-table.tsx';
import { DefinitionRows } from '#web/ui/definition-rows.tsx';
import { SkeletonText } from '#web/ui/skeleton.tsx';
import { FormDialog } from './dialogs.tsx';
import { type ClosedDrawer, DrawerSlip } from './drawer-slip.tsx';
import { dateTime, showPeso } from './format.ts';
import { useStaffForm } from './staff-action.ts';

const words = panel.drawer;

type DayDrawer = DayReport['drawers'][number];
type OpenDrawerFacts = NonNullable<Reply<typeof api.readCurrentDrawer>['drawer']>;

/** Reads again everything that shows a drawer. */
export const refreshDrawers = (): void => {
  for (const row of [api.readCurrentDrawer, api.readToday, api.readDay]) void refreshReads(row);
};

/** The caller's own drawer: what should be in it, and its closing (§drawer). */
export function MyDrawer() {
  const query = useRead(api.readCurrentDrawer, { anew: true });
  const [isClosing, setClosing] = useState(false);
  const [closed, setClosed] = useState<ClosedDrawer>();
  return (
    <CardSection title={words.title}>
      {closed && <DrawerSlip drawer={closed} onClose={() => setClosed(undefined)} />}
      <QueryStates query={query} skeleton={<SkeletonText lines={5} />} failedTitle={words.failed}>
        {({ drawer }) =>
          drawer ? (
            <div className="flex flex-col items-start gap-4">
              <div className="w-full">
                <DefinitionRows
                  size={14}
                  rows={[
                    { term: words.openedAt, value: dateTime(drawer.openedAt) },
                    { term: words.floatWas, value: showPeso(drawer.float) },
                    {
                      term: words.cashIn,
                      value: (
                        <span className="text-right">
                          <CellLines
                            main={showPeso(drawer.cashIn.amount)}
                            note={words.payments(drawer.cashIn.count)}
                          />
                        </span>
                      ),
                    },
                    {
                      term: words.cashOut,
                      value: (
                        <span className="text-right">
                          <CellLines
                            main={showPeso(drawer.cashOut.amount)}
                            note={words.times(drawer.cashOut.count)}
                          />
                        </span>
                      ),
                    },
                    { term: words.expected, value: showPeso(drawer.expected), strong: true },
                  ]}
                />
              </div>
              <Button look="secondary" size="small" onClick={() => setClosing(true)}>
                {words.close}
              </Button>
              {isClosing && (
                <CloseDrawerDialog
                  drawer={drawer}
                  title={words.close}
                  onClosed={setClosed}
                  onClose={() => setClosing(false)}
                />
              )}
            </div>
          ) : (
            <OpenDrawer />
          )
        }
      </QueryStates>
    </CardSection>
  );
}

function OpenDrawer() {
  const { send } = useMoneyCall(api.openDrawer);
  const form = useStaffForm(DrawerForm, {
    values: { float: '' as string | number },
    fields: { float: { kind: 'pesos', label: words.float } },
    failedTitle: words.failedToOpen,
    send: (body) => send({ body }),
    done: words.opened,
    onAnswered: refreshDrawers,
    onSaved: () => undefined,
  });
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col items-start gap-3">
      <p className="text-14 text-ink-soft">{words.none}</p>
      {form.fields}
      <Button type="submit" look="secondary" size="small" busy={form.busy}>
        {words.open}
      </Button>
    </form>
  );
}

type CloseProps = {
  drawer: OpenDrawerFacts;
  title: string;
  /** The employee, if it is not their own. */
  closedBy?: string;
  onClosed: (closed: ClosedDrawer) => void;
  onClose: () => void;
};

function CloseDrawerDialog({ drawer, title, closedBy, onClosed, onClose }: CloseProps) {
  const { id, expected } = drawer;
  const { stop, send } = useMoneyCall(api.closeDrawer);
  const form = useStaffForm(DrawerCloseForm, {
    values: { counted: '' as string | number, reason: '' },
    fields: {
      counted: { kind: 'pesos', label: words.counted, isFirst: true },
      reason: { kind: 'remark', label: words.reason },
    },
    failedTitle: words.failedToClose,
    send: ({ counted, reason }) => send({ params: { id }, body: { counted, ...(reason && { reason }) } }),
    done: ({ counted, difference }) => ({
      title: words.closed,
      description:
        difference === '0.00'
          ? words.even(showPeso(counted))
          : words.uneven(showPeso(counted), showPeso(difference)),
    }),
    onAnswered: refreshDrawers,
    onSaved: (answer, { reason }) => {
      onClose();
      onClosed({
        ...drawer,
        ...answer,
        closedAt: now().toISOString(),
        reason: reason || null,
        ...(closedBy !== undefined && { closedBy }),
      });
    },
  });
  const counted = parsePesos(useFormValues(form).counted);
  return (
    <FormDialog
      title={title}
      description={words.closeText}
      form={{ ...form, stop }}
      saveLabel={words.close}
      onClose={onClose}
    >
      <DefinitionRows
        size={14}
        rows={[
          { term: words.expected, value: showPeso(expected), strong: true },
          {
            term: words.difference,
            value: counted !== undefined && showPeso(centavos(counted - amountOf(expected))),
          },
        ]}
      />
      {form.fields}
    </FormDialog>
  );
}

/** The drawers of a day or those still open; an approver closes one that its owner left open. */
export function DrawersTable({ drawers }: { drawers: readonly DayDrawer[] }) {
  const { roles, fullName } = useUser();
  const mayClose = roles?.includes('approver');
  const [closing, setClosing] = useState<DayDrawer>();
  const [printed, setPrinted] = useState<ClosedDrawer>();
  const heads = [words.by, words.openedAt, words.floatWas, words.cashIn, words.cashOut, words.expected];
  return (
    <>
      <table className="w-full text-14">
        <thead>
          <tr className="text-12 text-ink-soft">
            {[...heads, words.counted, words.difference, words.state].map((head, index) => (
              <th
                key={head}
                scope="col"
                className={`py-1 pr-3 font-semibold ${index > 1 && index < 8 ? 'text-right' : 'text-left'}`}
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {drawers.map((drawer) => (
            <tr key={drawer.id} className="border-t border-line">
              <th scope="row" className="py-1.5 pr-3 text-left font-semibold">
                <bdi>{drawer.by}</bdi>
              </th>
              <td className="pr-3">{dateTime(drawer.openedAt)}</td>
              <Amount amount={drawer.float} />
              <Amount amount={drawer.cashIn.amount} />
              <Amount amount={drawer.cashOut.amount} />
              <Amount amount={drawer.expected} />
              <Amount amount={drawer.counted} />
              <td className="pr-3 text-right tabular-nums">
                {drawer.difference === null ? (
                  panel.list.dash
                ) : (
                  <CellLines main={showPeso(drawer.difference)} note={drawer.reason ?? ''} />
                )}
              </td>
              <td className="py-1.5">
                {drawer.closedAt !== null ? (
                  <span className="flex items-center justify-between gap-2">
                    {drawer.closedBy === undefined
                      ? dateTime(drawer.closedAt)
                      : words.closedBy(dateTime(drawer.closedAt), drawer.closedBy)}
                    <IconButton
                      size="small"
                      label={words.printOf(drawer.by)}
                      onClick={() => setPrinted(drawer)}
                    >
                      <PrinterIcon />
                    </IconButton>
                  </span>
                ) : mayClose ? (
                  <Button look="secondary" size="small" onClick={() => setClosing(drawer)}>
                    {words.close}
                  </Button>
                ) : (
                  words.stillOpen
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {closing && (
        <CloseDrawerDialog
          drawer={closing}
          title={words.closeOf(closing.by)}
          {...(closing.by !== fullName && { closedBy: fullName ?? '' })}
          onClosed={setPrinted}
          onClose={() => setClosing(undefined)}
        />
      )}
      {printed && <DrawerSlip drawer={printed} onClose={() => setPrinted(undefined)} />}
    </>
  );
}

const Amount = ({ amount }: { amount: string | null }) => (
  <td className="pr-3 text-right tabular-nums">{amount === null ? panel.list.dash : showPeso(amount)}</td>
);
