import { HouseIcon, UserIcon, WalletIcon } from 'lucide-react';
import type { ElementType } from 'react';
import { paths } from '#contract/routes.ts';

type TabBarProps = {
  words: Record<'tabBar' | 'tabHome' | 'tabWallet' | 'tabProfile', string>;
  /** The path that is shown; none on the landing page. */
  location?: string;
  /** The app's link; a plain one without script. */
  LinkTo?: ElementType;
  /** True until the landing page's script knows of a session. */
  hidden?: boolean;
};

/** The tabs of somebody signed in (§navigation). */
export function TabBar({ words, location, LinkTo = 'a', hidden }: TabBarProps) {
  const tabs = [
    { at: [paths.home, paths.dashboard, paths.myLoan], label: words.tabHome, Icon: HouseIcon },
    { at: [paths.wallet], label: words.tabWallet, Icon: WalletIcon },
    { at: [paths.profile, paths.account], label: words.tabProfile, Icon: UserIcon },
  ];
  return (
    <nav
      aria-label={words.tabBar}
      hidden={hidden}
      data-signed-in=""
      className="fixed inset-x-0 bottom-0 z-30 mx-auto max-w-120 border-t border-line bg-card pb-[env(safe-area-inset-bottom)] sm:rounded-t-card sm:border-x wide:max-w-none wide:rounded-none wide:border-x-0 print:hidden"
    >
      <ul className="mx-auto grid max-w-120 auto-cols-fr grid-flow-col">
        {tabs.map(({ at, label, Icon }) => (
          <li key={label}>
            <LinkTo
              href={at[0]}
              aria-current={at.some((path) => path === location) ? 'page' : undefined}
              className="group flex min-h-18 flex-col items-center justify-center gap-1 text-12 font-bold tracking-[0.04em] text-ink-soft transition-colors hover:text-ink focus-visible:-outline-offset-4 aria-[current]:text-leaf wide:m-1.5 wide:min-h-11 wide:flex-row wide:gap-2 wide:rounded-full wide:text-14 wide:aria-[current]:bg-leaf-tint [&_svg]:size-5.5"
            >
              <span className="flex h-7 w-14 items-center justify-center rounded-full group-aria-[current]:bg-leaf-tint wide:w-auto wide:bg-transparent!">
                <Icon />
              </span>
              {label}
            </LinkTo>
          </li>
        ))}
      </ul>
    </nav>
  );
}
