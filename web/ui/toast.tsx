import * as RadixToast from '@radix-ui/react-toast';
import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { classNames } from './class-names.ts';
import { AlertIcon, CircleCheckIcon, CloseIcon } from './icons.tsx';
import { useTopDialog } from './use-modal.ts';
import './toast.css';

export interface ToastProviderProps {
  label: string;
  durationMs: number;
  swipeThresholdPx: number;
  children: ReactNode;
}

export function ToastProvider({ label, durationMs, swipeThresholdPx, children }: ToastProviderProps) {
  const dialog = useTopDialog();
  return (
    <RadixToast.Provider
      label={label}
      duration={durationMs}
      swipeDirection="right"
      swipeThreshold={swipeThresholdPx}
      announcerContainer={dialog ?? undefined}
    >
      {children}
    </RadixToast.Provider>
  );
}

/**
 * Across the top on phones, bottom right on larger screens. An open modal dialog makes the page inert, so the viewport
 * moves into it.
 */
export function ToastViewport({ label, hotkey }: { label: string; hotkey: string }) {
  const dialog = useTopDialog();
  const viewport = (
    <RadixToast.Viewport
      label={label}
      hotkey={[hotkey]}
      className="toasts pointer-events-none fixed inset-x-0 top-0 z-60 flex flex-col gap-2 p-4 pt-[calc(1rem+env(safe-area-inset-top))] outline-none sm:inset-x-auto sm:bottom-0 sm:right-0 sm:top-auto sm:w-full sm:max-w-[26.25rem]"
    />
  );
  return dialog ? createPortal(viewport, dialog) : viewport;
}

export interface ToastProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  tone: 'good' | 'bad';
  title: ReactNode;
  description?: ReactNode;
  closeLabel: string;
}

/** A failure interrupts a screen reader; a success waits its turn. */
export function Toast({ open, onOpenChange, tone, title, description, closeLabel }: ToastProps) {
  const bad = tone === 'bad';
  return (
    <RadixToast.Root
      open={open}
      onOpenChange={onOpenChange}
      type={bad ? 'foreground' : 'background'}
      className={classNames(
        'toast pointer-events-auto flex items-start gap-3 rounded-card border bg-card p-4 pr-2 text-ink shadow-soft',
        bad ? 'border-bad' : 'border-line',
      )}
    >
      <span
        aria-hidden="true"
        className={classNames(
          'flex size-8 shrink-0 items-center justify-center rounded-full',
          bad ? 'bg-bad-tint text-bad' : 'bg-good-tint text-good',
        )}
      >
        {bad ? <AlertIcon className="size-4.5" /> : <CircleCheckIcon className="size-4.5" />}
      </span>
      <div className="min-w-0 flex-1 self-center">
        <RadixToast.Title className="text-14 font-semibold">{title}</RadixToast.Title>
        {description !== undefined && (
          <RadixToast.Description className="text-14 text-ink-soft">{description}</RadixToast.Description>
        )}
      </div>
      <RadixToast.Close
        aria-label={closeLabel}
        className="-my-2 inline-flex size-11 shrink-0 items-center justify-center rounded-control hover:bg-leaf-tint"
      >
        <CloseIcon className="size-4.5" />
      </RadixToast.Close>
    </RadixToast.Root>
  );
}
