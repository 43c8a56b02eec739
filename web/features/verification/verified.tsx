import { ShieldCheckIcon } from 'lucide-react';
import { useWords } from '#web/lib/home-words.ts';
import { useUser } from '#web/lib/session.tsx';

/** Beside the borrower's name, once profile and documents are complete (§verified-account). */
export function Verified() {
  const { verification } = useWords();
  return (
    useUser().isVerified && (
      <p className="flex items-center gap-1.5 text-14 text-ink-soft">
        <ShieldCheckIcon className="size-4.5 text-good" />
        {verification.verified}
      </p>
    )
  );
}
