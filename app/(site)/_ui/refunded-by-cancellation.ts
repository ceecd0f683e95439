import type { InvestmentResource } from '#lib/sales/schemas.ts';

/** An investment that had bought, and was undone with its sale: what it bought stays on record, and nothing of it is sent. */
export const isRefundedByCancellation = ({
  status,
  final_tier_allocation,
}: Pick<InvestmentResource, 'status' | 'final_tier_allocation'>): boolean =>
  status === 'failed' && final_tier_allocation.length > 0;
