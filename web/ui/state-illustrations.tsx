import { Picture, Weave } from './weave.tsx';

// Decorative pictures for empty states. The dashboard's is in `no-loan-picture.tsx`, so that the others are not loaded
// with it.

export function NoDocumentsPicture() {
  return (
    <Picture>
      <rect x="36" y="30" width="88" height="60" rx="9" strokeWidth="2.5" className="fill-card stroke-edge" />
      <circle cx="59" cy="54" r="9" className="fill-leaf" />
      <path d="M44 78a15 12 0 0 1 30 0z" className="fill-leaf" />
      <g strokeWidth="5" className="stroke-line">
        <path d="M86 49h26M86 62h26M86 75h14" />
      </g>
      <g fill="none" strokeWidth="4" strokeLinejoin="round" className="stroke-mango">
        <path d="M24 34V20h14M122 20h14v14M136 86v14h-14M38 100H24V86" />
      </g>
    </Picture>
  );
}

export function NoWithdrawalsPicture() {
  return (
    <Picture>
      <path d="M40 42 104 20a7 7 0 0 1 9 5l5 17z" className="fill-mango" />
      <rect x="28" y="38" width="104" height="66" rx="11" className="fill-leaf" />
      <rect
        x="35"
        y="45"
        width="90"
        height="52"
        rx="6"
        fill="none"
        strokeWidth="2"
        strokeDasharray="5 5"
        strokeLinecap="butt"
        className="stroke-on-leaf opacity-50"
      />
      <path d="M132 58h-22a13 13 0 0 0 0 26h22z" className="fill-card" />
      <path d="M132 58h-22a13 13 0 0 0 0 26h22z" fill="none" strokeWidth="2.5" className="stroke-leaf" />
      <circle cx="111" cy="71" r="5" className="fill-mango" />
    </Picture>
  );
}

export function NoResultsPicture() {
  return (
    <Picture>
      <g className="opacity-30">
        <Weave x={26} y={28} columns={5} rows={3} cell={22} />
      </g>
      <path d="M98 76l24 24" strokeWidth="9" className="stroke-ink" />
      <circle cx="78" cy="56" r="30" strokeWidth="6" className="fill-card stroke-ink" />
      <path d="M66 56h24" strokeWidth="5" className="stroke-mango" />
    </Picture>
  );
}

export function NotFoundPicture() {
  return (
    <svg viewBox="0 0 200 130" aria-hidden="true">
      <ellipse cx="100" cy="122" rx="80" ry="6" className="fill-leaf-tint" />
      <Weave x={28} y={12} columns={5} rows={4} cell={26} hole={9} />
      <path
        d="M138 45h30q14 0 14 14v18q0 12 8 15M138 57h22q9 0 9 9v30q0 9 5 13"
        fill="none"
        strokeWidth="10"
        strokeLinecap="round"
        className="stroke-mango"
      />
    </svg>
  );
}

export function AccessDeniedPicture() {
  return (
    <svg viewBox="0 0 200 130" aria-hidden="true">
      <ellipse cx="100" cy="122" rx="80" ry="6" className="fill-leaf-tint" />
      <g className="opacity-30">
        <Weave x={35} y={12} columns={5} rows={4} cell={26} />
      </g>
      <path d="M80 62V46a20 20 0 0 1 40 0v16" fill="none" strokeWidth="9" className="stroke-ink" />
      <rect x="66" y="58" width="68" height="54" rx="11" className="fill-leaf" />
      <circle cx="100" cy="80" r="7" className="fill-on-leaf" />
      <path d="M100 82v14" strokeWidth="6" strokeLinecap="round" className="stroke-on-leaf" />
    </svg>
  );
}
