import type { ProjectResource } from '#lib/sales/schemas.ts';
import { percentOf } from '../_data/full-raise.ts';

const GAP = 0.8;
const WHOLE = 100;
/** Beyond it the parts would be too narrow to see. */
const MOST_PARTS = 20;

/** The tiers of a sale side by side, each filled as far as it is sold. Widths are SVG attributes, as in `Meter`. */
export function TierStrip({ project }: { project: ProjectResource }) {
  const { tiers, progress } = project;
  const isSplit = tiers.length <= MOST_PARTS;
  const parts = isSplit
    ? tiers.map((tier) => percentOf(tier.sold_tokens, tier.total_tokens))
    : [progress.progress_percentage];
  const width = (WHOLE - GAP * (parts.length - 1)) / parts.length;
  const rects = parts.map((percent, index) => ({ x: index * (width + GAP), filled: (width * percent) / WHOLE }));
  return (
    <svg
      role="img"
      aria-label={`${progress.tiers_completed} of ${progress.total_tiers} tiers full, ${progress.progress_percentage} percent of the whole sale raised`}
      className="block h-2.5 w-full overflow-hidden rounded-full"
      preserveAspectRatio="none"
      viewBox="0 0 100 1"
    >
      {rects.map(({ x, filled }) => (
        <g key={x}>
          <rect x={x} width={width} height="1" className="fill-line" />
          <rect x={x} width={filled} height="1" className="fill-accent" />
        </g>
      ))}
    </svg>
  );
}
