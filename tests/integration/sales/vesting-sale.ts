import type { ProjectBody, Stage } from './stage.ts';
import { ENDS_AT, type UnsoldParties, type UnsoldSale, unsoldDraft } from './unsold-sale.ts';

/** A tenth at the end, the rest in three parts, the first of them 40 days later. */
export const VESTING = { immediate_bps: 1_000, cliff_days: 10, period_days: 30, periods: 3 };

/** A draft that promises to lock what its vesting owes at the end, and nothing of what it does not sell. */
export const vestingDraft = (
  stage: Stage,
  body: Partial<ProjectBody> = {},
  parties?: UnsoldParties,
): Promise<UnsoldSale> =>
  unsoldDraft(
    stage,
    { unsold_until: null, distribution: 'at_end', vesting: VESTING, vesting_locked: true, ...body },
    parties,
  );

export const daysAfterEnd = (days: number): string => new Date(Date.parse(ENDS_AT) + days * 86_400_000).toISOString();
