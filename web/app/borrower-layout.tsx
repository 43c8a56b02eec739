import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { paths } from '#contract/routes.ts';
import { type Language, useCoreWords, useLanguage } from '#web/lib/language.tsx';
import { brand, lender } from '#web/lib/lender.ts';
import { useOnline } from '#web/lib/online.ts';
import { useSession } from '#web/lib/session.tsx';
import { BorrowerFrame, TabBar } from '#web/ui/borrower-frame.tsx';
import { HomeIcon, UserIcon, WalletIcon } from '#web/ui/icons.tsx';
import { LanguagePicker } from '#web/ui/language-picker.tsx';
import { Logo } from '#web/ui/logo.tsx';
import { OfflineBanner, Ribbon } from '#web/ui/ribbon.tsx';
import { BorrowerMenu } from './borrower-menu.tsx';
import { LenderFooter } from './lender-footer.tsx';

/** The bars around every page of the borrower's app. It stays mounted from one page to the next. */
export function BorrowerLayout({ children }: { children: ReactNode }) {
  const { shell } = useCoreWords();
  const session = useSession();
  const online = useOnline();
  const signedIn = session.state === 'signedIn';
  return (
    <BorrowerFrame
      skipLabel={shell.skipToContent}
      ribbon={lender().isSample && <Ribbon>{shell.sampleRibbon}</Ribbon>}
      notice={!online && <OfflineBanner>{shell.offline}</OfflineBanner>}
      brand={
        <a href={paths.landing} className="flex min-h-11 min-w-0 items-center rounded-control">
          <Logo {...brand()} />
        </a>
      }
      actions={
        <>
          <LanguageSwitch />
          <BorrowerMenu />
        </>
      }
      tabBar={signedIn ? <BorrowerTabs /> : undefined}
      footer={<LenderFooter short={signedIn} />}
    >
      {children}
    </BorrowerFrame>
  );
}

/** The button 'Language', on every borrower's page. */
export function LanguageSwitch() {
  const { shell } = useCoreWords();
  const { language, setLanguage } = useLanguage();
  const languages: { code: Language; name: string; short: string }[] = [
    { code: 'en', name: shell.english, short: 'EN' },
    { code: 'fil', name: shell.filipino, short: 'FIL' },
  ];
  return (
    <LanguagePicker
      label={shell.language}
      languages={languages}
      current={language}
      onPick={(code) => void setLanguage(code === 'fil' ? 'fil' : 'en')}
    />
  );
}

function BorrowerTabs() {
  const { shell } = useCoreWords();
  const [location] = useLocation();
  const tabs = [
    {
      href: paths.home,
      label: shell.tabHome,
      icon: <HomeIcon />,
      current: location === paths.home || location === paths.dashboard,
    },
    { href: paths.wallet, label: shell.tabWallet, icon: <WalletIcon />, current: location === paths.wallet },
    { href: paths.profile, label: shell.tabProfile, icon: <UserIcon />, current: location === paths.profile },
  ];
  return <TabBar label={shell.tabBar} tabs={tabs} linkAs={Link} />;
}
