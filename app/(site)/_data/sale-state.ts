import { type DatedSale, type SalePhase, salePhase } from '#lib/sales/projects/sale-phase.ts';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import type { Tone } from '../_ui/badge.tsx';

/** Where a sale stands, as its visitors would say it. */
export interface SaleState extends Omit<SalePhase, 'state'> {
  key: SalePhase['state'];
  label: string;
  tone: Tone;
}

const LOOKS: Record<SalePhase['state'], { label: string; tone: Tone }> = {
  draft: { label: 'Draft', tone: 'neutral' },
  upcoming: { label: 'Upcoming', tone: 'accent' },
  live: { label: 'Live', tone: 'good' },
  between_tiers: { label: 'Next tier soon', tone: 'accent' },
  paused: { label: 'Paused', tone: 'warn' },
  ended: { label: 'Ended', tone: 'neutral' },
  cancelled: { label: 'Cancelled', tone: 'bad' },
};

/** What a sale ended by, where that says more than that it is over. */
const END_LABELS: Partial<Record<NonNullable<ProjectResource['end_reason']>, string>> = {
  sold_out: 'Sold out',
  soft_cap_missed: 'Soft cap missed',
};

export function saleStateOf(project: DatedSale & Pick<ProjectResource, 'end_reason'>, nowMs: number): SaleState {
  const { state: key, tier, next } = salePhase(project, nowMs);
  const { label, tone } = LOOKS[key];
  const endLabel = project.end_reason === null ? undefined : END_LABELS[project.end_reason];
  return { key, label: endLabel ?? label, tone, tier, next };
}
