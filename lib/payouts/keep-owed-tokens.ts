import { parseLedgerValue } from '@tranche/rules/exact-decimal.ts';
import { eq } from 'drizzle-orm';
import { projects } from '#drizzle/schema/sale.ts';
import { minBigInt, WIRE_TOKEN_DECIMALS } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import { readTokenLiabilities } from '#lib/token-liabilities.ts';
import { transactionFee } from '#lib/xrpl/server-state.ts';
import type { AccountState, ServerState } from '#lib/xrpl/types.ts';
import type { Plan } from './check.ts';
import { type Decision, FEE_FLOAT_DROPS, MAX_IN_FLIGHT, type Payout } from './types.ts';

/**
 * Postpones the locks of a plan that would take tokens owed to others, who would have to wait for the end of the escrow, and the locks for
 * which the account lacks the XRP. Holds locks whose time has passed. A plan without a lock costs nothing; what cannot be read postpones the locks, and keeps nobody from being paid.
 *
 * What is owed is added up once for all locks of a sale: each that goes takes as much off that as off the balance, so that all may go, or
 * none. Of a large sale it is a sum over millions of rows, and whoever is paid in the same batch waits for it.
 */
export async function keepOwedTokens(ctx: Ctx, plan: Plan): Promise<Plan> {
  const locks = plan.payable.filter(({ kind }) => kind === 'lock');
  if (locks.length === 0) return plan;
  const kept: Plan = {
    payable: plan.payable.filter(({ kind }) => kind !== 'lock'),
    postponed: [...plan.postponed],
  };
  const positions = new Map<string, Promise<TokenPosition>>();
  for (const payout of locks) {
    try {
      const position = positions.get(payout.projectId ?? '') ?? readTokenPosition(ctx, payout);
      positions.set(payout.projectId ?? '', position);
      const decision = decideLock(payout, await position);
      if (decision.kind === 'pay') kept.payable.push(payout);
      else kept.postponed.push({ payout, decision });
    } catch (fault) {
      kept.postponed.push({ payout, decision: { kind: 'later', reason: 'facts_unreadable' }, fault });
    }
  }
  return kept;
}

/** What an account holds of a sale's token, and owes of it, in units of 10^-6 token. */
interface TokenPosition {
  validatedAtMs: number;
  heldMicros: bigint;
  owedMicros: bigint;
  coversReserve: boolean;
}

function decideLock({ id, lockedUntil }: Payout, position: TokenPosition): Decision {
  if (lockedUntil == null) throw new Error(`The lock ${id} has no time`);
  if (position.validatedAtMs >= lockedUntil.getTime()) return { kind: 'hold', reason: 'lock_time_passed' };
  const isFunded = position.heldMicros >= position.owedMicros && position.coversReserve;
  return isFunded ? { kind: 'pay' } : { kind: 'later', reason: 'payer_underfunded' };
}

/**
 * Whether the account's XRP stays above its reserve when what is under way has taken its fees. An escrow needs that, as no Payment of tokens
 * does: it takes over the reserve of the ticket that makes it, which the ledger asks for anew (docs/ledger-facts.md, 36). Pure.
 */
function coversReserve({ balanceDrops, ownerCount }: AccountState, server: ServerState): boolean {
  const reserve = server.reserveBaseDrops + server.reserveIncrementDrops * BigInt(ownerCount);
  const fees = minBigInt(transactionFee(server) * BigInt(MAX_IN_FLIGHT), FEE_FLOAT_DROPS);
  return balanceDrops - fees >= reserve;
}

async function readTokenPosition(ctx: Ctx, payout: Payout): Promise<TokenPosition> {
  const { projectId } = payout;
  if (projectId === null) throw new Error(`The lock ${payout.id} is of no sale`);
  // First: what is validated after this ledger counts as owed. The balance is of this ledger too, from whichever server.
  const server = await ctx.ledger.serverState();
  const [heldMicros, account] = await Promise.all([
    readHeldMicros(ctx, payout, server),
    ctx.ledger.account(payout.account),
  ]);
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
  // What the locks are to hold is among them: it has not left the balance.
  const owedMicros = owed.reduce((sum, { micros }) => sum + micros, 0n);
  return {
    validatedAtMs: server.validatedAtMs,
    heldMicros,
    owedMicros,
    coversReserve: account !== null && coversReserve(account, server),
  };
}

/** What the account holds of the payout's token, in units of 10^-6 token, rounded down. */
async function readHeldMicros(
  ctx: Ctx,
  { id, account, asset }: Payout,
  { validatedIndex }: ServerState,
): Promise<bigint> {
  if (asset.kind === 'iou') {
    const line = await ctx.ledger.trustLine(account, asset.issuer, asset.currency, validatedIndex);
    return line === null ? 0n : parseLedgerValue(line.balance, WIRE_TOKEN_DECIMALS);
  }
  if (asset.kind === 'xrp') throw new Error(`The lock ${id} is of XRP`);
  const holding = await ctx.ledger.mptHolding(account, asset.issuanceId, validatedIndex);
  return (holding?.amount ?? 0n) * 10n ** BigInt(WIRE_TOKEN_DECIMALS - asset.decimals);
}
