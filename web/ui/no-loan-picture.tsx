import { Coin, Picture } from './weave.tsx';

export function NoLoanPicture() {
  return (
    <Picture>
      <rect x="48" y="14" width="66" height="88" rx="9" strokeWidth="2.5" className="fill-card stroke-edge" />
      <g strokeWidth="5" className="stroke-line">
        <path d="M61 32h40M61 46h40M61 60h22" />
      </g>
      <path d="M61 86q6-9 10 0t10 0 9-2" fill="none" strokeWidth="2.5" className="stroke-leaf" />
      <Coin x={112} y={84} radius={19} />
    </Picture>
  );
}
