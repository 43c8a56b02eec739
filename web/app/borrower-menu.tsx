import { Suspense, useState } from 'react';
import { useCoreWords } from '#web/lib/language.tsx';
import { PageBoundary } from '#web/lib/page-boundary.tsx';
import { IconButton } from '#web/ui/button.tsx';
import { MenuIcon } from '#web/ui/icons.tsx';
import { BorrowerDrawer } from './pages.ts';

/** The menu's button; the drawer itself is fetched as soon as somebody reaches for it. */
export function BorrowerMenu() {
  const { shell } = useCoreWords();
  const [open, setOpen] = useState(false);
  return (
    <>
      <IconButton
        label={shell.openMenu}
        aria-haspopup="dialog"
        onPointerDown={BorrowerDrawer.preload}
        onFocus={BorrowerDrawer.preload}
        onClick={() => setOpen(true)}
      >
        <MenuIcon />
      </IconButton>
      {open && (
        <PageBoundary>
          <Suspense>
            <BorrowerDrawer onClose={() => setOpen(false)} />
          </Suspense>
        </PageBoundary>
      )}
    </>
  );
}
