import { ChevronLeftIcon, XIcon } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Button, type ButtonProps, IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import { stepBack, stepOut } from './history-steps.ts';
import { Modal, type ModalProps } from './modal.tsx';

interface DialogProps extends Omit<ModalProps, 'labelledBy' | 'describedBy' | 'children'> {
  title: ReactNode;
  description?: ReactNode;
  /** The close button's name. Without it there is no button, so the dialog's own buttons must offer a way out. */
  closeLabel?: string;
  /** The name of the button that leads to the step before, where the dialog is a step of a sheet. */
  backLabel?: string | undefined;
  /** The content has no controls: it becomes focusable itself, so that arrow keys scroll it. */
  onlyRead?: boolean;
  children?: ReactNode;
}

export function Dialog(props: DialogProps) {
  const { title, description, closeLabel, backLabel, onlyRead = false, children, ...modal } = props;
  const { size = 'medium' } = modal;
  const id = useId();
  const isPaper = size === 'paper';
  const Body = onlyRead ? 'section' : 'div';
  return (
    <Modal
      {...modal}
      size={size}
      labelledBy={`${id}-title`}
      describedBy={description !== undefined ? `${id}-description` : undefined}
    >
      {!isPaper && (
        <div aria-hidden="true" className="mx-auto mt-2.5 h-1 w-10 rounded-[0.125rem] bg-line sm:hidden" />
      )}
      <div
        className={classNames(
          'flex items-start gap-3 px-(--panel-side) pb-3 pt-4',
          isPaper && 'border-b border-line sm:pb-5 sm:pt-7',
        )}
      >
        {backLabel !== undefined && (
          <IconButton label={backLabel} onClick={stepBack} className="-mr-2 -ml-3 -mt-1.5">
            <ChevronLeftIcon />
          </IconButton>
        )}
        <div className="min-w-0 flex-1">
          <h2
            id={`${id}-title`}
            className={classNames(
              'font-heading text-[min(1.5rem,9vw)] leading-[1.25] font-bold',
              isPaper && 'sm:text-32',
            )}
          >
            {title}
          </h2>
          {description !== undefined && (
            <p id={`${id}-description`} className="mt-1 text-14 text-ink-soft">
              {description}
            </p>
          )}
        </div>
        {closeLabel !== undefined && (
          <IconButton label={closeLabel} onClick={stepOut} className="-mr-2.5 -mt-1.5">
            <XIcon />
          </IconButton>
        )}
      </div>
      <Body
        aria-labelledby={onlyRead ? `${id}-title` : undefined}
        tabIndex={onlyRead ? 0 : undefined}
        className={classNames(
          // Positioned, so that visually hidden (absolute) content scrolls along and does not lengthen the page.
          'panel-body relative overflow-y-auto overscroll-contain px-(--panel-side) pb-(--panel-foot)',
          // The actions extend over it: sticky positions by the padding box, not the edge.
          '[--panel-foot:calc(1.25rem+env(safe-area-inset-bottom))]',
          // Focused fields stop above the sticky actions, not under them.
          'scroll-pb-[calc(var(--panel-foot)+4.5rem)] scroll-pt-3',
          // The sticky actions would fill the panel's corners otherwise.
          'rounded-b-[inherit]',
          isPaper && 'pt-4 sm:pt-7 print:overflow-visible',
        )}
      >
        {children}
      </Body>
    </Modal>
  );
}

type DialogActionsProps = { cancel?: ButtonProps; children: ReactNode; className?: string };

/** The dialog's buttons, sticky under the scrolling content: cancel first, the main action last and wider. */
export function DialogActions({ cancel, children, className }: DialogActionsProps) {
  return (
    <div
      className={classNames(
        'sticky -bottom-(--panel-foot) -mb-(--panel-foot) mt-3 pb-(--panel-foot) pt-3',
        // The bar reaches to the panel's edges: nothing that scrolls under it may stick out beside it.
        '-mx-(--panel-side) px-(--panel-side)',
        'grid auto-cols-[minmax(0,1fr)] grid-flow-col gap-3 bg-card *:px-[min(0.75rem,3vw)]',
        'before:pointer-events-none before:absolute before:inset-x-0 before:bottom-full before:h-3',
        'before:bg-linear-to-t before:from-card',
        'has-[>:nth-child(2)]:grid-cols-[minmax(min-content,2fr)_minmax(min-content,3fr)]',
        'print:in-data-[size=paper]:hidden sm:in-data-[size=paper]:auto-cols-max sm:in-data-[size=paper]:justify-end sm:in-data-[size=paper]:*:px-6!',
        className,
      )}
    >
      {cancel && <Button look="secondary" {...cancel} />}
      {children}
    </div>
  );
}
