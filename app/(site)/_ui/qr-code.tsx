import { encode } from 'uqr';

/** The dark runs of one row. A path a row: text beyond a thousand characters would be sent apart and arrive later. */
function rowPath(row: readonly boolean[], y: number): string {
  let path = '';
  for (let x = 0; x < row.length; x++) {
    if (!row[x]) continue;
    const since = x;
    while (row[x + 1]) x++;
    path += `M${since} ${y}h${x - since + 1}v1H${since}z`;
  }
  return path;
}

/** A QR code, drawn on the server. Always dark on white: scanners ask for it in any theme. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 3 });
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-40 rounded-xl border border-line bg-white"
    >
      {data
        .map(rowPath)
        .filter(Boolean)
        .map((path) => (
          <path key={path} d={path} fill="#101418" />
        ))}
    </svg>
  );
}
