import type { Drops } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { Plan } from '../check.ts';
import { freeDrops, whenPaid } from './amounts.ts';
import { readAccountCommitments, withBalance } from './read-amounts.ts';

/**
 * Postpones the releases of a plan that the deposit account cannot spare any more: what it owes is asked again before XRP
 * leaves for the treasury. A plan without a release costs nothing. What cannot be read postpones the releases, and keeps
 * no refund from being paid.
 */
export async function keepFloor(ctx: Ctx, account: string, plan: Plan): Promise<Plan> {
  const releases = plan.payable.filter(({ kind }) => kind === 'release');
  if (releases.length === 0) return plan;
  const kept: Plan = {
    payable: plan.payable.filter(({ kind }) => kind !== 'release'),
    postponed: [...plan.postponed],
  };
  let left: Drops;
  try {
    left = await readFree(ctx, account);
  } catch (fault) {
    const decision = { kind: 'later', reason: 'facts_unreadable' } as const;
    kept.postponed.push(...releases.map((payout) => ({ payout, decision, fault })));
    return kept;
  }
  for (const payout of releases) {
    if (payout.amount <= left) {
      left -= payout.amount;
      kept.payable.push(payout);
    } else kept.postponed.push({ payout, decision: { kind: 'later', reason: 'release_below_floor' } });
  }
  return kept;
}

const readFree = (ctx: Ctx, account: string): Promise<Drops> =>
  withBalance(ctx, account, async (onLedger, ledgerIndex) => {
    const commitments = await readAccountCommitments(ctx.db, account, onLedger.server);
    return commitments.ledgerIndex === ledgerIndex ? freeDrops(commitments, onLedger, whenPaid(commitments)) : null;
  });
