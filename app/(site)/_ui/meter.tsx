/** A part of a whole as a bar. Widths are SVG attributes: the page's policy allows no inline styles. */
export function Meter({ percent, label, mark }: { percent: number; label: string; mark?: number | undefined }) {
  const width = Math.min(100, Math.max(0, percent));
  return (
    <svg
      role="img"
      aria-label={label}
      className="block h-2.5 w-full overflow-hidden rounded-full"
      preserveAspectRatio="none"
      viewBox="0 0 100 1"
    >
      <rect width="100" height="1" className="fill-line" />
      <rect width={width} height="1" className="fill-accent" />
      {mark !== undefined && <rect x={Math.min(99.6, mark)} width="0.4" height="1" className="fill-ink" />}
    </svg>
  );
}
