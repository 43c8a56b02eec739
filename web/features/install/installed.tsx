import { SmartphoneIcon } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Loan } from '#contract/loan.ts';
import { install as english } from '#contract/wording/en-install.ts';
import { useWordsOf } from '#web/lib/format.ts';
import { canInstall, install, installChanged } from '#web/lib/install-prompt.ts';
import { lender, now } from '#web/lib/lender.ts';
import { accountOf, loansInSight, nextPayment } from '#web/lib/loan-standing.ts';
import { answerOffline, keepKnown } from '#web/lib/offline.ts';
import { readStored, writeStored } from '#web/lib/stored-value.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';

const offeredKey = 'install-offered';

/** Has the app answer without a network from now on, and offers once to install it (§installing). */
export function Installed({ loans }: { loans: readonly Loan[] }) {
  const { install: words, peso, date, dateTime, language } = useWordsOf({ install: english });
  const isInstallable = useSyncExternalStore(installChanged.listen, canInstall);
  const [wasOffered, setOffered] = useState(() => readStored(offeredKey) !== undefined);

  const account = loansInSight(loans)
    .map(accountOf)
    .find((one) => one && nextPayment(one));
  const next = account && nextPayment(account);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the words are the language's
  useEffect(() => {
    const lines = next && [
      words.nextPayment(peso(next.amount)),
      ...(next.dueSince ? [words.dueSince(date(next.dueSince))] : []),
      ...(next.dueOn ? [words.due(date(next.dueOn))] : []),
      words.asOf(dateTime(now().toISOString())),
    ];
    void answerOffline().then(() => keepKnown(language, lines ?? []));
  }, [next?.amount, next?.dueOn, next?.dueSince, language]);

  if (!isInstallable || wasOffered) return null;
  const close = () => {
    writeStored(offeredKey, 'yes');
    setOffered(true);
  };
  return (
    <Banner
      icon={<SmartphoneIcon />}
      title={words.title(lender().tradeName ?? lender().name)}
      action={
        <span className="flex flex-wrap gap-2">
          <Button
            look="secondary"
            size="compact"
            onClick={() => {
              install();
              close();
            }}
          >
            {words.action}
          </Button>
          <Button look="quiet" size="compact" onClick={close}>
            {words.notNow}
          </Button>
        </span>
      }
    >
      {words.text}
    </Banner>
  );
}
