import type { ProjectResource } from '../schemas.ts';

type Tier = ProjectResource['tiers'][number];

/** Of a project, what decides where it stands. */
export type DatedSale = Pick<ProjectResource, 'status' | 'starts_at' | 'ends_at' | 'tiers'>;

export interface SalePhase {
  state: 'draft' | 'upcoming' | 'live' | 'between_tiers' | 'paused' | 'ended' | 'cancelled';
  /** The tier that sells, or will sell next; null when none will. */
  tier: Tier | null;
  /** What time brings next: the start, a later tier's start, or the end. */
  next: { what: 'starts' | 'tier_starts' | 'ends'; at: string } | null;
}

const isAhead = (time: string | null | undefined, nowMs: number): time is string =>
  time !== null && time !== undefined && Date.parse(time) > nowMs;

/**
 * Where a sale stands for who looks at it now: by the project and the clock. The close times of ledgers decide in the end:
 * past its end a sale takes no payment, whether or not a ledger has ended it in the records. Pure.
 */
export function salePhase({ status, starts_at, ends_at, tiers }: DatedSale, nowMs: number): SalePhase {
  const tier = tiers.find(({ completed_at }) => completed_at === null) ?? null;
  if (status === 'draft') return { state: 'draft', tier, next: null };
  if (status === 'cancelled') return { state: 'cancelled', tier: null, next: null };
  const end = isAhead(ends_at, nowMs) ? ({ what: 'ends', at: ends_at } as const) : null;
  if (status === 'paused') return { state: 'paused', tier, next: end };
  const isOver = ends_at !== null && Date.parse(ends_at) < nowMs;
  if (status === 'completed' || tier === null || isOver) return { state: 'ended', tier: null, next: null };
  if (isAhead(starts_at, nowMs)) return { state: 'upcoming', tier, next: { what: 'starts', at: starts_at } };
  if (!isAhead(tier.starts_at, nowMs)) return { state: 'live', tier, next: end };
  return tier === tiers[0]
    ? { state: 'upcoming', tier, next: { what: 'starts', at: tier.starts_at } }
    : { state: 'between_tiers', tier, next: { what: 'tier_starts', at: tier.starts_at } };
}
