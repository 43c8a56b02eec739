import { SearchIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { home } from '#contract/wording/en-home.ts';
import * as panel from '#contract/wording/panel.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { FindBox, FindKeys } from './find.tsx';

const words = panel.find;

/** In the sidebar, and on Ctrl+K from anywhere but another dialog, where something may have been typed. */
export function FindButton({ className }: { className: string }) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      if (!document.querySelector('dialog[open]')) setOpen(true);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <>
      <button type="button" aria-keyshortcuts="Control+K" className={className} onClick={() => setOpen(true)}>
        <span className="flex items-center gap-2">
          <SearchIcon className="size-4" />
          {words.title}
        </span>
        <FindKeys className="" />
      </button>
      {isOpen && (
        <Dialog title={words.title} closeLabel={home.shell.close} onClose={() => setOpen(false)}>
          <FindBox look="within" onGone={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  );
}
