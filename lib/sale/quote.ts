import type { z } from 'zod';
import type { Ctx } from '#lib/ctx.ts';
import { type Drops, formatDrops, formatPrice, formatUnits } from '#lib/platform/money.ts';
import type { quoteContract } from './contracts.ts';
import { projectNotFound } from './get-project.ts';
import { loadAccount } from './load-state.ts';
import { loadPending } from './pending.ts';
import { findProject } from './project-resource.ts';
import { reduceAll } from './reduce.ts';
import type { Effect, ProjectState, SalePayment } from './types.ts';

export type QuoteResource = z.output<(typeof quoteContract)['responses'][200]>;

/**
 * What an amount would buy if it arrived now, with every payment counted that has been seen: by the reducer itself, so a
 * quote cannot differ from what a payment in that place becomes. Throws `project_not_found`.
 */
export async function quoteAmount(ctx: Ctx, input: { id: string; amount_xrp: Drops }): Promise<QuoteResource> {
  const row = await findProject(ctx.db, input.id);
  if (row === null) throw projectNotFound();
  // One snapshot: what is confirmed and what is pending must be of the same moment.
  const { loaded, entries } = await ctx.db.transaction(
    async (tx) => {
      const account = await loadAccount(tx, row.depositAddress);
      const pending = await loadPending(
        tx,
        row.depositAddress,
        account.account.cursorLedger,
        Number.MAX_SAFE_INTEGER - 1,
      );
      return { loaded: account, entries: pending.entries };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
  const ledgerIndex = loaded.account.cursorLedger;
  const payment: SalePayment = {
    kind: 'payment',
    hash: 'quote',
    ledgerIndex: ledgerIndex + 1,
    transactionIndex: 0,
    closedAtMs: ctx.clock.nowMs(),
    sender: '',
    destinationTag: row.destinationTag,
    receivedDrops: input.amount_xrp,
  };
  const before = reduceAll(loaded.state, entries).state;
  const { effects } = reduceAll(before, [payment]);
  const project = before.projects.get(row.destinationTag);
  const effect = effects.find(
    (each) => (each.type === 'invested' || each.type === 'refused') && each.payment === payment,
  );
  if (project === undefined || effect === undefined) throw projectNotFound();
  return quoteResource(project, effect, input.amount_xrp, ledgerIndex);
}

/** The quote as the API shows it. Pure. */
function quoteResource(project: ProjectState, effect: Effect, amountDrops: Drops, ledgerIndex: number): QuoteResource {
  const about = { project_id: project.id, amount_xrp: formatDrops(amountDrops), ledger_index: ledgerIndex };
  if (effect.type !== 'invested') {
    const refused = effect.type === 'refused' ? effect : null;
    return {
      ...about,
      accepted: false,
      reason: refused?.reason ?? null,
      allocation: [],
      total_tokens: formatUnits(0n, project.decimals),
      invested_xrp: formatDrops(0n),
      rounding_xrp: formatDrops(0n),
      refunded_xrp: formatDrops(refused?.refundedDrops ?? 0n),
      held_xrp: formatDrops(refused?.heldDrops ?? 0n),
    };
  }
  const priceOf = new Map(project.tiers.map((tier) => [tier.tier, tier.price]));
  return {
    ...about,
    accepted: true,
    reason: effect.refundReason,
    allocation: effect.parts.map((part) => ({
      tier: part.tier,
      price_per_token: formatPrice(priceOf.get(part.tier) ?? 0n),
      amount_xrp: formatDrops(part.drops),
      tokens: formatUnits(part.units, project.decimals),
    })),
    total_tokens: formatUnits(effect.totalUnits, project.decimals),
    invested_xrp: formatDrops(effect.investedDrops),
    rounding_xrp: formatDrops(effect.roundingDrops),
    refunded_xrp: formatDrops(effect.refundedDrops),
    held_xrp: formatDrops(0n),
  };
}
