import { useCoreWords } from '#web/lib/language.tsx';
import { Loading, Skeleton, SkeletonRow } from '#web/ui/skeleton.tsx';

/** The shape of a panel page while its chunk is on the way. */
export function PanelShape() {
  const { shell } = useCoreWords();
  return (
    <Loading label={shell.loading} className="flex flex-col gap-4">
      <Skeleton className="h-8 w-44" />
      <Skeleton className="h-10 w-full" />
      <span className="rounded-card bg-card px-4 py-2">
        <SkeletonRow />
        <SkeletonRow />
        <SkeletonRow />
        <SkeletonRow />
      </span>
    </Loading>
  );
}
