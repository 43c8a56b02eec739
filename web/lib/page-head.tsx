import type { Endpoint } from '#contract/endpoint.ts';
import { usePageTitle } from './page-title.ts';
import { RefreshButton } from './refresh-button.tsx';

/** A page's title, with what reads the page again. */
export function PageHead({ title, reads }: { title: string; reads?: readonly Endpoint[] | false }) {
  usePageTitle(title);
  return (
    <div className="-mb-2 flex items-center justify-between gap-3 wide:mb-1 wide:pt-3">
      <h1 className="min-w-0 font-heading text-32 leading-11 font-bold wide:text-48 wide:leading-13 wide:tracking-[-0.01em]">
        {title}
      </h1>
      {reads && <RefreshButton reads={reads} />}
    </div>
  );
}
