import type { ProjectResource } from '#lib/sales/schemas.ts';
import { formatAmount, formatCount, formatCounted } from '../_ui/format.ts';

type Delivery = Pick<ProjectResource, 'distribution' | 'vesting'>;

const BPS_A_PERCENT = 100;
const ALL_BPS = 10_000;

/** When a sale sends tokens, by its terms: at once, at its end, or in parts. Pure. */
export function deliveryText({ distribution, vesting }: Delivery): string {
  const isImmediate = distribution === 'immediate';
  const atOnce = isImmediate ? 'as soon as the payment is confirmed' : 'when the sale has ended';
  const { immediate_bps: bps, cliff_days: cliff, period_days: period, periods } = vesting;
  if (periods === 0 || bps === ALL_BPS) return `${atOnce.charAt(0).toUpperCase()}${atOnce.slice(1)}`;
  const first = cliff + period;
  const last = cliff + period * periods;
  const days = periods === 1 ? formatCounted(first, 'day') : `${formatCount(first)} to ${formatCount(last)} days`;
  const since = isImmediate ? 'after the payment' : 'after the end of the sale';
  const parts = periods === 1 ? 'one part' : `${periods} equal parts`;
  if (bps === 0) return `In ${parts}, ${days} ${since}`;
  return `${formatAmount(String(bps / BPS_A_PERCENT))}% ${atOnce}, the rest in ${parts}, ${days} ${since}`;
}
