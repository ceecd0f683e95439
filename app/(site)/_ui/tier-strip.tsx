import type { ProjectResource } from '#lib/sales/schemas.ts';
import { fullRaiseXrp, percentOf } from '../_data/full-raise.ts';

const GAP = 0.8;
const WHOLE = 100;
/** Beyond it the parts would be too narrow to see. */
const MOST_PARTS = 20;

type Sale = Pick<ProjectResource, 'tiers' | 'token' | 'progress'>;

/** Each tier's place in a strip of 100: as wide as its share of what the whole sale brings, filled as far as it is sold. Pure. */
export function stripOf({ tiers, token, progress }: Sale): { x: number; width: number; filled: number }[] {
  if (tiers.length > MOST_PARTS) return [{ x: 0, width: WHOLE, filled: progress.progress_percentage }];
  const whole = fullRaiseXrp({ tiers, token });
  const room = (WHOLE - GAP * (tiers.length - 1)) / 100;
  let x = 0;
  return tiers.map((tier) => {
    const width = room * percentOf(fullRaiseXrp({ tiers: [tier], token }), whole);
    const part = { x, width, filled: (width * percentOf(tier.sold_tokens, tier.total_tokens)) / 100 };
    x += width + GAP;
    return part;
  });
}

/** The tiers of a sale side by side. Widths are SVG attributes, as in `Meter`. */
export function TierStrip({ project }: { project: Sale }) {
  const { progress } = project;
  return (
    <svg
      role="img"
      aria-label={`${progress.tiers_completed} of ${progress.total_tiers} tiers full, ${progress.progress_percentage} percent of the whole sale raised`}
      className="block h-2.5 w-full overflow-hidden rounded-full"
      preserveAspectRatio="none"
      viewBox="0 0 100 1"
    >
      {stripOf(project).map(({ x, width, filled }) => (
        <g key={x}>
          <rect x={x} width={width} height="1" className="fill-line" />
          <rect x={x} width={filled} height="1" className="fill-accent" />
        </g>
      ))}
    </svg>
  );
}
