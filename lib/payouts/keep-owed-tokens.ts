import { parseLedgerValue } from '@tranche/rules/exact-decimal.ts';
import { eq } from 'drizzle-orm';
import { projects } from '#drizzle/schema/sale.ts';
import { WIRE_TOKEN_DECIMALS } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import { readTokenLiabilities } from '#lib/token-liabilities.ts';
import type { Plan } from './check.ts';
import type { Decision, Payout } from './types.ts';

/**
 * Postpones the locks of a plan that would take tokens which are owed to others: an escrow gives nothing back before its
 * time, and whoever bought those tokens would wait for as long. Holds those whose time has passed. A plan without a lock
 * costs nothing; what cannot be read postpones the locks, and keeps nobody from being paid.
 */
export async function keepOwedTokens(ctx: Ctx, plan: Plan): Promise<Plan> {
  const locks = plan.payable.filter(({ kind }) => kind === 'lock');
  if (locks.length === 0) return plan;
  const kept: Plan = {
    payable: plan.payable.filter(({ kind }) => kind !== 'lock'),
    postponed: [...plan.postponed],
  };
  for (const payout of locks) {
    try {
      const decision = await decideLock(ctx, payout);
      if (decision.kind === 'pay') kept.payable.push(payout);
      else kept.postponed.push({ payout, decision });
    } catch (fault) {
      kept.postponed.push({ payout, decision: { kind: 'later', reason: 'facts_unreadable' }, fault });
    }
  }
  return kept;
}

async function decideLock(ctx: Ctx, payout: Payout): Promise<Decision> {
  const { lockedUntil, projectId } = payout;
  if (lockedUntil == null || projectId === null) throw new Error(`The lock ${payout.id} is of no sale, or has no time`);
  // First: what is validated after this ledger may be missing from the balance, and counts as owed.
  const server = await ctx.ledger.serverState();
  if (server.validatedAtMs >= lockedUntil.getTime()) return { kind: 'hold', reason: 'lock_time_passed' };
  const heldMicros = await readHeldMicros(ctx, payout);
  const [distributorToken] = await ctx.db
    .select({
      distributor: projects.distributor,
      currency: projects.currency,
      issuer: projects.issuer,
      issuanceId: projects.issuanceId,
    })
    .from(projects)
    .where(eq(projects.id, projectId));
  if (distributorToken === undefined) throw new Error(`The lock ${payout.id} is of no sale`);
  const owed = await readTokenLiabilities(ctx.db, { shownBy: server, distributorToken });
  // What this lock is to hold is among them: it has not left the balance.
  const owedMicros = owed.reduce((sum, { micros }) => sum + micros, 0n);
  return heldMicros < owedMicros ? { kind: 'later', reason: 'payer_underfunded' } : { kind: 'pay' };
}

/** What the account holds of the payout's token in the newest validated ledger, in units of 10^-6 token, rounded down. */
async function readHeldMicros(ctx: Ctx, { id, account, asset }: Payout): Promise<bigint> {
  if (asset.kind === 'iou') {
    const line = await ctx.ledger.trustLine(account, asset.issuer, asset.currency);
    return line === null ? 0n : parseLedgerValue(line.balance, WIRE_TOKEN_DECIMALS);
  }
  if (asset.kind === 'xrp') throw new Error(`The lock ${id} is of XRP`);
  const holding = await ctx.ledger.mptHolding(account, asset.issuanceId);
  return (holding?.amount ?? 0n) * 10n ** BigInt(WIRE_TOKEN_DECIMALS - asset.decimals);
}
