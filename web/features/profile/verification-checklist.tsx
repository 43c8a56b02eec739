import { type DemandedPiece, demandedPieces, documentPieces, missingPieces } from '#domain/profile.ts';
import { useAccountWords } from '#web/lib/account-words.ts';
import { useUser } from '#web/lib/session.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { Card } from '#web/ui/card.tsx';
import { ChevronRightIcon, CircleCheckIcon, ShieldAlertIcon, ShieldCheckIcon } from '#web/ui/icons.tsx';

type Props = {
  /** Element ids of the sections where missing pieces are filled in. */
  personalId: string;
  documentsId: string;
};

/** Whether the account is verified, and what it still lacks (§verified-account). */
export function VerificationChecklist({ personalId, documentsId }: Props) {
  const { profile, verification } = useAccountWords();
  const user = useUser();
  const missing = missingPieces(user);
  if (missing.length === 0) {
    return (
      <Banner tone="good" icon={<ShieldCheckIcon />} title={verification.verified}>
        {verification.verifiedText}
      </Banner>
    );
  }
  return (
    <Card padding="none" className="overflow-hidden">
      <Banner
        tone="warn"
        icon={<ShieldAlertIcon />}
        title={verification.notVerified}
        className="rounded-none!"
      >
        {verification.missing(missing.length)}
      </Banner>
      <section aria-label={profile.checklist} className="p-4.5 pt-3">
        <ul>
          {demandedPieces.map((piece) => (
            <Piece
              key={piece}
              piece={piece}
              isMissing={missing.includes(piece)}
              partId={(documentPieces as readonly string[]).includes(piece) ? documentsId : personalId}
            />
          ))}
        </ul>
      </section>
    </Card>
  );
}

function Piece({ piece, isMissing, partId }: { piece: DemandedPiece; isMissing: boolean; partId: string }) {
  const { profile, verification } = useAccountWords();
  const name = verification.pieces[piece];
  if (!isMissing) {
    return (
      <li className="flex items-center gap-2.5 py-1.5 text-14 text-ink-soft">
        <CircleCheckIcon className="size-5 shrink-0 text-good" />
        {name}
        <span className="sr-only"> ({profile.pieceThere})</span>
      </li>
    );
  }
  return (
    <li>
      <a
        href={`#${partId}`}
        className="-mx-2 flex min-h-11 items-center gap-2.5 rounded-control px-2 text-14 font-semibold hover:bg-leaf-tint"
      >
        <span
          aria-hidden="true"
          className="mx-0.5 size-4 shrink-0 rounded-full border-2 border-dashed border-warn"
        />
        <span className="min-w-0 flex-1">{name}</span>
        <span className="text-12 font-bold text-warn">{profile.pieceMissing}</span>
        <ChevronRightIcon className="size-4 shrink-0 text-ink-soft" />
      </a>
    </li>
  );
}
