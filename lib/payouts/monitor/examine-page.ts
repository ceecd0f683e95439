import { mapBounded } from '#lib/base/bounded.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ledger, ServerState } from '#lib/xrpl/types.ts';
import { lineFault, type Plan, planPayouts, readFacts } from '../check.ts';
import type { StoredPayout } from '../load.ts';
import type { Payout, PayoutReason } from '../types.ts';

const CONCURRENT_LINES = 8;
/** Found out by asking for the destination's account: only that can say that it is over. */
const ACCOUNT_REASONS: ReadonlySet<string | null> = new Set<PayoutReason>([
  'destination_missing',
  'destination_tag_required',
  'deposit_authorization_required',
]);

/**
 * What stands against each payout of a page, as the payer would find it. A holder without a line that takes the tokens
 * costs nothing beyond that line; the others are examined in full. Without the ledger it throws.
 */
export async function examinePage(ledger: Ledger, server: ServerState, page: readonly StoredPayout[]): Promise<Plan> {
  const byLine = await mapBounded(page, CONCURRENT_LINES, (stored) => faultOfLine(ledger, stored));
  const plan: Plan = { payable: [], postponed: [] };
  const others = new Map<string, Payout[]>();
  for (const [index, { payout }] of page.entries()) {
    const reason = byLine[index];
    if (reason != null) plan.postponed.push({ payout, decision: { kind: 'wait', reason } });
    else others.set(payout.account, [...(others.get(payout.account) ?? []), payout]);
  }
  for (const [account, payouts] of others) {
    const payer = await ledger.account(account);
    if (payer === null) {
      const decision = { kind: 'later', reason: 'payer_missing' } as const;
      plan.postponed.push(...payouts.map((payout) => ({ payout, decision })));
      continue;
    }
    const examined = planPayouts(await readFacts(ledger, payer, server, payouts), []);
    plan.payable.push(...examined.payable);
    plan.postponed.push(...examined.postponed);
  }
  return plan;
}

/** Null when the line would take it, and when more than the line must be asked. */
async function faultOfLine(ledger: Ledger, { payout, reason }: StoredPayout): Promise<PayoutReason | null> {
  const { asset, destination } = payout;
  if (asset.kind !== 'iou' || ACCOUNT_REASONS.has(reason) || destination === asset.issuer) return null;
  try {
    const issuer = await ledger.account(asset.issuer);
    if (issuer === null) return null;
    return lineFault(asset, payout.amount, issuer, await ledger.trustLine(destination, asset.issuer, asset.currency));
  } catch (error) {
    if (error instanceof PlatformError && error.code === 'ledger_unavailable') throw error;
    // An odd answer is found again, and named, when the payout is examined in full.
    return null;
  }
}
