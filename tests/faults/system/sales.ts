import type { Action } from '@tranche/rules/types.ts';
import type { Ctx } from '#lib/ctx.ts';
import { createProject } from '#lib/sales/projects/create-project.ts';
import { projectInput } from '#lib/sales/projects/project-input.ts';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import type { Draw } from '#tests/faults/draw.ts';
import { CURRENCY, DECIMALS } from '#tests/faults/payouts/acts.ts';
import type { Environment } from './ground.ts';

/** What a sale of the campaign is like. */
export const SALE_KINDS = ['immediate', 'at_end', 'soft_cap', 'vested', 'limited', 'timed'] as const;
export type SaleKind = (typeof SALE_KINDS)[number];

export interface Sale {
  kind: SaleKind;
  project: ProjectResource;
  /** The actions that its operator wants, in order; the last one ends it. */
  script: Action[];
}

const MAX_SALES = 3;
/** A timed sale ends in the middle of the storm. */
const ENDS_AFTER_SECONDS = [6, 14] as const;

function termsOf(kind: SaleKind, draw: Draw, nowMs: number) {
  const tiers = [
    { price_per_token: '0.10', total_tokens: String(draw.between(100, 400)) },
    { price_per_token: '0.25', total_tokens: String(draw.between(100, 400)) },
    { price_per_token: '0.375', total_tokens: String(draw.between(500, 3_000)) },
  ];
  const seconds = draw.between(...ENDS_AFTER_SECONDS);
  const byKind: Record<SaleKind, object> = {
    immediate: {},
    at_end: { distribution: 'at_end' },
    soft_cap: { distribution: 'at_end', soft_cap_xrp: String(draw.between(20, 200)) },
    vested: { vesting: { immediate_bps: 4_000, cliff_days: 0, period_days: 30, periods: 2 } },
    limited: { min_investment_xrp: '2', max_per_wallet_xrp: String(draw.between(30, 90)) },
    timed: { ends_at: new Date(nowMs + seconds * 1_000).toISOString() },
  };
  return { tiers, ...byKind[kind] };
}

function drawScript(draw: Draw): Action[] {
  const pauses: Action[] = draw.chance(0.5) ? ['pause', 'resume'] : [];
  return ['launch', ...pauses, draw.chance(0.3) ? 'cancel' : 'end'];
}

/** Two or three sales on two accounts, of which two may share one. */
export async function createSales(
  ctx: Ctx,
  ground: Environment,
  draw: Draw,
  /** Sales of the first account are paid under custody; the others' tokens come from the issuer. */
  isWitnessed: boolean,
): Promise<[Sale, ...Sale[]]> {
  const sales: Sale[] = [];
  const count = draw.between(2, MAX_SALES);
  for (let n = 0; n < count; n++) {
    const kind = draw.pick(SALE_KINDS);
    const deposit = ground.deposits[n === 0 ? 0 : draw.between(0, 1)] ?? ground.deposits[0];
    const { issuer, distributor, issuanceId } = ground;
    const paysTokens = (isDistributor: boolean): string =>
      (isWitnessed ? deposit === ground.deposits[0] : isDistributor) ? distributor.address : issuer.address;
    const token = draw.chance(0.3)
      ? { kind: 'mpt', issuance_id: issuanceId, decimals: DECIMALS }
      : { kind: 'iou', currency: CURRENCY, issuer: issuer.address, decimals: DECIMALS };
    const input = projectInput.parse({
      // The crowd pays dust, too.
      min_investment_xrp: null,
      name: `Sale ${n + 1}`,
      token,
      distributor: paysTokens(draw.chance(0.7)),
      deposit_address: deposit.address,
      treasury: issuer.address,
      ...termsOf(kind, draw, Date.now()),
    });
    sales.push({ kind, project: await createProject(ctx, input), script: drawScript(draw) });
  }
  return sales as [Sale, ...Sale[]];
}
