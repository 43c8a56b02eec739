/** How far something is, on the deep card, as a bar that says so in words. */
export function ProgressBar({ ratio, words }: { ratio: number; words: string }) {
  const percent = Math.round(Math.min(1, Math.max(0, ratio)) * 100);
  return (
    <div
      role="progressbar"
      aria-label={words}
      aria-valuenow={percent}
      aria-valuetext={words}
      className="h-2 overflow-hidden rounded-full border border-transparent bg-on-deep/25"
    >
      <span className="mark block h-full rounded-full bg-mango" style={{ width: `${percent}%` }} />
    </div>
  );
}
