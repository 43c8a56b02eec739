import {
  BanknoteIcon,
  BellIcon,
  CircleHelpIcon,
  HouseIcon,
  LayoutDashboardIcon,
  LogInIcon,
  LogOutIcon,
  UserIcon,
  WalletIcon,
  XIcon,
} from 'lucide-react';
import { useId } from 'react';
import { Link, useLocation } from 'wouter';
import { messagesPath, paths } from '#contract/routes.ts';
import { useCoreWords } from '#web/lib/language.tsx';
import { useSession } from '#web/lib/session.tsx';
import { SupportContact } from '#web/lib/support-contact.tsx';
import { IconButton } from '#web/ui/button.tsx';
import { Modal } from '#web/ui/modal.tsx';

/** The menu of the top bar, a modal drawer (§navigation). Signed out it offers Login instead of Logout. */
export function BorrowerDrawer({ onClose: close }: { onClose: () => void }) {
  const { lender, shell } = useCoreWords();
  const session = useSession();
  const [location] = useLocation();
  const id = useId();
  const isSignedOut = session.state === 'signedOut';
  const links = [
    { to: paths.home, label: shell.home, Icon: HouseIcon },
    { to: paths.home, label: shell.dashboard, Icon: LayoutDashboardIcon },
    { to: paths.myLoan, label: shell.myLoan, Icon: BanknoteIcon },
    { to: paths.wallet, label: shell.wallet, Icon: WalletIcon },
    { to: messagesPath, label: shell.messages, Icon: BellIcon },
    { to: paths.profile, label: shell.profile, Icon: UserIcon },
    { to: paths.help, label: shell.help, Icon: CircleHelpIcon },
    ...(isSignedOut ? [{ to: paths.signIn, label: shell.login, Icon: LogInIcon }] : []),
  ];
  // The home page is at both: Home is lit, not Dashboard.
  const place = location === paths.dashboard ? paths.home : location;
  return (
    <Modal onClose={close} labelledBy={id}>
      <div className="flex items-center justify-between py-3 pl-5 pr-3">
        <h2 id={id} className="font-heading text-20 font-bold">
          {shell.menu}
        </h2>
        <IconButton label={shell.closeMenu} onClick={close}>
          <XIcon />
        </IconButton>
      </div>
      <nav aria-label={shell.menu} className="flex-1 overflow-y-auto px-3 pb-5">
        <ul className="flex flex-col gap-1">
          {links.map(({ to, label, Icon }) => (
            <li key={label}>
              {isSignedOut && Icon === HouseIcon ? (
                // A plain link: the landing page is outside the app.
                <a href={paths.landing} className={itemStyle}>
                  <Icon />
                  {label}
                </a>
              ) : (
                <Link
                  href={to}
                  aria-current={to === place && Icon !== LayoutDashboardIcon ? 'page' : undefined}
                  className={itemStyle}
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
                className={itemStyle}
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

const itemStyle =
  'flex min-h-12 w-full items-center gap-3 rounded-control px-3 text-left font-semibold transition-colors hover:bg-leaf-tint aria-[current=page]:bg-leaf-tint aria-[current=page]:text-leaf [&_svg]:size-5 [&_svg]:text-ink-soft aria-[current=page]:[&_svg]:text-leaf';
