import { type ReactNode, useId, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { paths } from '#contract/routes.ts';
import { useCoreWords } from '#web/lib/language.tsx';
import { useSession } from '#web/lib/session.tsx';
import { IconButton } from '#web/ui/button.tsx';
import {
  CloseIcon,
  DashboardIcon,
  HomeIcon,
  LogInIcon,
  LogOutIcon,
  UserIcon,
  WalletIcon,
} from '#web/ui/icons.tsx';
import { useModal } from '#web/ui/use-modal.ts';

/** The menu of the top bar (§navigation). Signed out it offers Login instead of Logout. */
export default function BorrowerDrawer({ onClose: close }: { onClose: () => void }) {
  const { shell } = useCoreWords();
  const session = useSession();
  const isStaff = session.state === 'signedIn' && session.user.isAdmin;
  return (
    <Drawer isStaff={isStaff} onClose={close}>
      <nav aria-label={shell.menu}>
        <ul className="flex flex-col gap-1">
          {session.state === 'signedOut' ? (
            <li>
              {/* A plain link: the landing page is outside the app. */}
              <a href={paths.landing} className={itemStyle}>
                <HomeIcon />
                {shell.home}
              </a>
            </li>
          ) : (
            <MenuLink to={paths.home} also={paths.dashboard} icon={<HomeIcon />} onChosen={close}>
              {shell.home}
            </MenuLink>
          )}
          <MenuLink to={paths.home} also={paths.dashboard} icon={<DashboardIcon />} onChosen={close}>
            {shell.dashboard}
          </MenuLink>
          <MenuLink to={paths.wallet} icon={<WalletIcon />} onChosen={close}>
            {shell.wallet}
          </MenuLink>
          <MenuLink to={paths.profile} icon={<UserIcon />} onChosen={close}>
            {shell.profile}
          </MenuLink>
          {session.state === 'signedOut' ? (
            <MenuLink to={paths.signIn} icon={<LogInIcon />} onChosen={close}>
              {shell.login}
            </MenuLink>
          ) : (
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
    </Drawer>
  );
}

type MenuLinkProps = {
  to: string;
  also?: string;
  icon: ReactNode;
  onChosen: () => void;
  children: ReactNode;
};

function MenuLink({ to, also, icon, onChosen, children }: MenuLinkProps) {
  const [location] = useLocation();
  return (
    <li>
      <Link
        href={to}
        aria-current={location === to || location === also ? 'page' : undefined}
        className={itemStyle}
        onClick={onChosen}
      >
        {icon}
        {children}
      </Link>
    </li>
  );
}

type DrawerProps = { isStaff: boolean; onClose: () => void; children: ReactNode };

/** A modal drawer from the right. */
function Drawer({ isStaff, onClose, children }: DrawerProps) {
  const { shell } = useCoreWords();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useModal(dialog, onClose);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes it from the keyboard, see useModal
    <dialog
      ref={dialog}
      className="dialog"
      data-side="right"
      aria-labelledby={id}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div className="panel" tabIndex={-1}>
        <div className="flex items-center justify-between py-3 pl-5 pr-3">
          <h2 id={id} className="font-heading text-20 font-bold">
            {shell.menu}
          </h2>
          <IconButton label={shell.closeMenu} onClick={onClose}>
            <CloseIcon />
          </IconButton>
        </div>
        <div className="flex-1 overflow-y-auto px-3 pb-5">{children}</div>
        {isStaff && (
          <div className="border-t border-line px-5 py-4 pb-[calc(1rem+env(safe-area-inset-bottom))] text-14 text-ink-soft">
            {shell.panelIsForDesktop}
          </div>
        )}
      </div>
    </dialog>
  );
}

/** For a link or button in the menu; `aria-current="page"` marks the current one. */
const itemStyle =
  'flex min-h-12 w-full items-center gap-3 rounded-control px-3 text-left font-semibold transition-colors hover:bg-leaf-tint aria-[current=page]:bg-leaf-tint aria-[current=page]:text-leaf [&_svg]:size-5 [&_svg]:text-ink-soft aria-[current=page]:[&_svg]:text-leaf';
