import { type MatPart, type MatTile, matStroke, weaveMat } from '#domain/mat.ts';
import { classNames } from './class-names.ts';

const looks: Record<MatPart, string> = {
  lying: 'fill-woven stroke-woven',
  standing: 'fill-mango stroke-mango',
  late: 'fill-late stroke-late',
  sent: 'fill-loom stroke-mango [stroke-dasharray:3_2.4]',
  next: 'fill-loom stroke-loom-next',
  bare: 'fill-loom stroke-loom',
};

interface MatProps {
  tiles: readonly (MatTile | undefined)[];
  /** A description in words, such as `7 of 24 paid`. Without one the mat is decoration. */
  label?: string | undefined;
  columns?: number;
  /** The first tile that was paid since the mat was last seen: from there on it weaves in. */
  freshFrom?: number;
  className?: string;
}

/** A loan, or steps to do, as a mat; as wide as its place allows, up to tiles of a thumb's width. In a box of another shape it is cropped. */
export function Mat({ tiles, label, className, ...weave }: MatProps) {
  const { width, height, paths } = weaveMat(tiles, weave);
  const mat = (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
      style={{ maxWidth: width * 1.4 }}
      className={classNames('block', className)}
    >
      <MatPaths paths={paths} />
    </svg>
  );
  if (label === undefined) return mat;
  return (
    <div role="img" aria-label={label}>
      {mat}
    </div>
  );
}

export function MatPaths({ paths }: Pick<ReturnType<typeof weaveMat>, 'paths'>) {
  return (
    <g strokeWidth={matStroke} strokeLinejoin="round">
      {paths.map(({ part, isFresh, d }) => (
        <path
          key={`${part}${isFresh}`}
          d={d}
          className={classNames(looks[part], isFresh && `weave-in ${part}`)}
        />
      ))}
    </g>
  );
}
