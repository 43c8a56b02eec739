import { LogInIcon, LogOutIcon, XIcon } from 'lucide-react';
import { useId } from 'react';
import { Link, useLocation } from 'wouter';
import { paths } from '#contract/routes.ts';
import { useCoreWords } from '#web/lib/language.tsx';
import { brand } from '#web/lib/lender.ts';
import { useSession } from '#web/lib/session.tsx';
import { SupportContact } from '#web/lib/support-contact.tsx';
import { IconButton } from '#web/ui/button.tsx';
import { MenuHead, menuEntry, menuPlaces } from '#web/ui/menu.tsx';
import { Modal } from '#web/ui/modal.tsx';

/** The menu of the top bar, a modal drawer (§navigation). Signed out it offers Login instead of Logout. */
export function BorrowerDrawer({ onClose: close }: { onClose: () => void }) {
  const { lender, shell } = useCoreWords();
  const session = useSession();
  const [location] = useLocation();
  const id = useId();
  const isSignedOut = session.state === 'signedOut';
  const links = [
    ...menuPlaces(shell, isSignedOut ? paths.landing : paths.home),
    ...(isSignedOut ? [{ to: paths.signIn, label: shell.login, Icon: LogInIcon }] : []),
  ];
  // The home page is at both: Home is lit, not Dashboard.
  const place = location === paths.dashboard ? paths.home : location;
  return (
    <Modal onClose={close} labelledBy={id}>
      <MenuHead
        id={id}
        title={shell.menu}
        brand={brand()}
        person={
          session.state === 'signedIn' && (
            <p className="mt-2 mb-1 text-14 wrap-anywhere">
              <b className="block text-16">{session.user.fullName}</b>
              <span className="text-on-deep-soft">{session.user.phone}</span>
            </p>
          )
        }
      >
        <IconButton label={shell.closeMenu} className="text-on-deep! hover:bg-on-deep/10!" onClick={close}>
          <XIcon />
        </IconButton>
      </MenuHead>
      <nav aria-label={shell.menu} className="flex-1 overflow-y-auto px-3 py-3">
        <ul className="flex flex-col gap-1">
          {links.map(({ to, label, Icon }) => (
            <li key={label}>
              {to === paths.landing ? (
                // A plain link: the landing page is outside the app.
                <a href={paths.landing} className={menuEntry}>
                  <Icon />
                  {label}
                </a>
              ) : (
                <Link
                  href={to}
                  aria-current={to === place && label !== shell.dashboard ? 'page' : undefined}
                  className={menuEntry}
                  onClick={close}
                >
                  <Icon />
                  {label}
                </Link>
              )}
            </li>
          ))}
          {!isSignedOut && (
            <li>
              <button
                type="button"
                className={menuEntry}
                onClick={() => {
                  close();
                  session.signOut();
                }}
              >
                <LogOutIcon />
                {shell.logout}
              </button>
            </li>
          )}
        </ul>
      </nav>
      <div className="border-t border-line px-5 py-3 text-14">
        {lender.support}
        <SupportContact className="-ml-0.5" />
      </div>
      {session.state === 'signedIn' && session.user.isAdmin && (
        <div className="border-t border-line px-5 py-4 pb-[calc(1rem+env(safe-area-inset-bottom))] text-14 text-ink-soft">
          {shell.panelIsForDesktop}
        </div>
      )}
    </Modal>
  );
}
