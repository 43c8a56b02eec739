import * as panel from '#contract/wording/panel.ts';

export const FindKeys = ({ className }: { className: string }) => (
  <span
    aria-hidden="true"
    className={`rounded-small border border-current/30 px-1.5 font-sans text-12 whitespace-nowrap ${className}`}
  >
    {panel.find.keys}
  </span>
);
