import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { paths } from '#contract/routes.ts';
import { useCoreWords } from '#web/lib/language.tsx';
import { useSession } from '#web/lib/session.tsx';
import { DashboardIcon, HomeIcon, LogInIcon, LogOutIcon, UserIcon, WalletIcon } from '#web/ui/icons.tsx';
import { SideMenu, sideMenuItemStyle } from '#web/ui/side-menu.tsx';

/** The menu of the top bar (§navigation). Signed out it offers Login instead of Logout. */
export default function BorrowerDrawer({ onClose: close }: { onClose: () => void }) {
  const { shell } = useCoreWords();
  const session = useSession();
  const isStaff = session.state === 'signedIn' && session.user.isAdmin;
  return (
    <SideMenu
      onClose={close}
      title={shell.menu}
      closeLabel={shell.closeMenu}
      note={isStaff ? shell.panelIsForDesktop : undefined}
    >
      <nav aria-label={shell.menu}>
        <ul className="flex flex-col gap-1">
          {session.state === 'signedOut' ? (
            <li>
              {/* A plain link: the landing page is outside the app. */}
              <a href={paths.landing} className={sideMenuItemStyle}>
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
                className={sideMenuItemStyle}
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
    </SideMenu>
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
        className={sideMenuItemStyle}
        onClick={onChosen}
      >
        {icon}
        {children}
      </Link>
    </li>
  );
}
