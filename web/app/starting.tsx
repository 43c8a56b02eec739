import { useCoreWords } from '#web/lib/language.tsx';
import { brand } from '#web/lib/lender.ts';
import { useSession } from '#web/lib/session.tsx';
import { Columns } from '#web/ui/borrower-frame.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { ErrorState } from '#web/ui/empty-state.tsx';
import { RetryIcon } from '#web/ui/icons.tsx';
import { Loading, Skeleton, SkeletonText } from '#web/ui/skeleton.tsx';

export function PageShape() {
  const { shell } = useCoreWords();
  return (
    <Loading label={shell.loading} className="flex flex-col gap-5 pt-2">
      <span className="flex flex-col gap-2">
        <Skeleton className="h-4 w-28" />
        <Skeleton className="h-8 w-52" />
      </span>
      <Columns
        first={<Skeleton className="h-44 w-full rounded-card" />}
        second={
          <Card>
            <SkeletonText lines={3} />
          </Card>
        }
      />
    </Loading>
  );
}

/** Shown while the stored session is being restored; offers a retry if that fails. */
export function Starting() {
  const { shell } = useCoreWords();
  const session = useSession();
  if (session.state !== 'starting' || session.problem === undefined) return <PageShape />;
  return (
    <Card className="mt-4">
      <h1 className="sr-only">{brand().name}</h1>
      <ErrorState
        title={shell.startFailed}
        action={
          <Button icon={<RetryIcon className="size-5" />} onClick={session.retry}>
            {shell.retry}
          </Button>
        }
      >
        {shell.startFailedNote}
      </ErrorState>
    </Card>
  );
}
