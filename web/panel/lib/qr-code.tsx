import encodeQR from 'qr';

/** Dark on light in both colour schemes, with the margin of four modules that cameras look for. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const rows = encodeQR(text, 'raw', { border: 4 });
  const modules = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])));
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shapeRendering="crispEdges"
      className="size-56 rounded-small"
    >
      <rect width="100%" height="100%" className="fill-on-deep" />
      <path d={modules.join('')} className="fill-on-mango" />
    </svg>
  );
}
