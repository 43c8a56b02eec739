import {
  BanknoteIcon,
  BellIcon,
  CircleHelpIcon,
  HouseIcon,
  LayoutDashboardIcon,
  UserIcon,
  WalletIcon,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { messagesPath, paths } from '#contract/routes.ts';
import type { CoreWording } from '#contract/wording/en-sign-in.ts';
import { Logo, type LogoProps } from './logo.tsx';

/** Lists where the side menu leads; `home` is the landing page for a visitor. */
export const menuPlaces = (words: CoreWording['shell'], home: string) => [
  { to: home, label: words.home, Icon: HouseIcon },
  { to: paths.home, label: words.dashboard, Icon: LayoutDashboardIcon },
  { to: paths.myLoan, label: words.myLoan, Icon: BanknoteIcon },
  { to: paths.wallet, label: words.wallet, Icon: WalletIcon },
  { to: messagesPath, label: words.messages, Icon: BellIcon },
  { to: paths.profile, label: words.profile, Icon: UserIcon },
  { to: paths.help, label: words.help, Icon: CircleHelpIcon },
];

export const menuEntry =
  'flex min-h-12 wide:min-h-11 w-full items-center gap-3 rounded-control px-3 text-left font-semibold transition-colors hover:bg-leaf-tint aria-[current=page]:bg-leaf-tint aria-[current=page]:text-leaf [&_svg]:size-5 [&_svg]:text-ink-soft aria-[current=page]:[&_svg]:text-leaf';

type MenuHeadProps = {
  /** The id of the title, which names the dialog. */
  id: string;
  title: string;
  brand: LogoProps;
  /** The menu's owner, in the place of the lender's brand. */
  person?: ReactNode;
  /** The button that closes it. */
  children: ReactNode;
};

/** The head of the side menu: whose it is. */
export const MenuHead = ({ id, title, brand, person, children }: MenuHeadProps) => (
  <div className="on-deep bg-leaf-deep py-3 pl-6 pr-3 text-on-deep">
    <h2 id={id} className="sr-only">
      {title}
    </h2>
    <div className="flex items-center justify-between gap-3">
      {person ?? <Logo {...brand} />}
      {children}
    </div>
  </div>
);
