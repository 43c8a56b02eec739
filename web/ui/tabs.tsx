import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';
import { classNames } from './class-names.ts';

type TabsProps<Value extends string> = {
  label: string;
  tabs: readonly { value: Value; label: string }[];
  value: Value;
  onValueChange: (value: Value) => void;
  /** `className` is for the row of tabs, `panelClassName` for the content. */
  className?: string;
  panelClassName?: string;
  /** The content of the chosen tab. */
  children: ReactNode;
};

/** Each tab is a stop of the Tab key; arrow keys, Home and End choose one too. */
export function Tabs<Value extends string>(props: TabsProps<Value>) {
  const { label, tabs, value, onValueChange, className, panelClassName, children } = props;
  const id = useId();
  const list = useRef<HTMLDivElement>(null);

  function choose(event: KeyboardEvent) {
    const now = tabs.findIndex((tab) => tab.value === value);
    const steps: Record<string, number> = { ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: -1 };
    const step = steps[event.key];
    const next = step === undefined ? undefined : tabs.at(step % tabs.length);
    if (!next) return;
    event.preventDefault();
    onValueChange(next.value);
    list.current?.querySelector<HTMLElement>(`[data-value="${next.value}"]`)?.focus();
  }

  return (
    <>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        className={classNames('grid auto-cols-fr grid-flow-col gap-1 rounded-card bg-sunken p-1', className)}
      >
        {tabs.map((tab) => {
          const isChosen = tab.value === value;
          return (
            <button
              key={tab.value}
              type="button"
              role="tab"
              id={`${id}-${tab.value}`}
              data-value={tab.value}
              aria-selected={isChosen}
              aria-controls={`${id}-panel`}
              onClick={() => onValueChange(tab.value)}
              onKeyDown={choose}
              className={classNames(
                'min-h-11 rounded-control px-1 text-[min(0.875rem,6vw)] font-semibold',
                isChosen ? 'bg-card text-leaf shadow-soft dark:bg-leaf-tint' : 'hover:bg-leaf-tint',
              )}
            >
              {tab.label}
            </button>
          );
        })}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${value}`} className={panelClassName}>
        {children}
      </div>
    </>
  );
}
