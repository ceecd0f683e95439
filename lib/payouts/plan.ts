import { divideCeil, WIRE_TOKEN_DECIMALS } from '#lib/base/money.ts';
import { judgePayout } from './judge.ts';
import type { Examined } from './read-facts.ts';
import type { Asset, Payout, Verdict } from './types.ts';

interface Postponed {
  payout: Payout;
  verdict: Exclude<Verdict, { kind: 'pay' }>;
  /** For the log: what was wrong with the ledger's answer. */
  fault?: unknown;
}

export interface Plan {
  payable: Payout[];
  postponed: Postponed[];
}

export function assetKey(asset: Asset): string {
  if (asset.kind === 'xrp') return 'xrp';
  return asset.kind === 'mpt' ? asset.issuanceId : `${asset.currency}.${asset.issuer}`;
}

/** Projects may sell one token with different decimals: sums are kept in the finest unit there is. */
const scaleOf = (asset: Asset): bigint =>
  asset.kind === 'iou' ? 10n ** BigInt(WIRE_TOKEN_DECIMALS - asset.decimals) : 1n;

/** Sums per key; what is not there is zero. */
class Sums {
  readonly #sums = new Map<string, bigint>();
  get(key: string): bigint {
    return this.#sums.get(key) ?? 0n;
  }
  add(key: string, amount: bigint): void {
    this.#sums.set(key, this.get(key) + amount);
  }
}

/**
 * Sorts due payouts of one account into those to pay and those to postpone, in the order given. Each counts what the
 * ones before it and those in flight will take from the payer's balance and the holder's room. Pure.
 */
export function planPayouts(due: readonly Examined[], inFlight: readonly Payout[]): Plan {
  const fromPayer = new Sums();
  const byHolder = new Sums();
  const holderKey = (payout: Payout) => `${payout.destination} ${assetKey(payout.asset)}`;
  const take = (payout: Payout) => {
    const amount = payout.amount * scaleOf(payout.asset);
    fromPayer.add(assetKey(payout.asset), amount);
    byHolder.add(holderKey(payout), amount);
  };
  for (const payout of inFlight) take(payout);
  const plan: Plan = { payable: [], postponed: [] };
  const judge = (examined: Examined): Verdict | { kind: 'later'; reason: 'facts_unreadable'; fault: unknown } => {
    if ('fault' in examined) return { kind: 'later', reason: 'facts_unreadable', fault: examined.fault };
    const { payout, facts } = examined;
    const scale = scaleOf(payout.asset);
    try {
      return judgePayout(payout, facts, {
        fromPayer: divideCeil(fromPayer.get(assetKey(payout.asset)), scale),
        byHolder: divideCeil(byHolder.get(holderKey(payout)), scale),
      });
    } catch (fault) {
      // An amount that cannot be read is the fault of this payout only.
      return { kind: 'later', reason: 'facts_unreadable', fault };
    }
  };
  for (const examined of due) {
    const verdict = judge(examined);
    const { payout } = examined;
    if (verdict.kind === 'pay') {
      plan.payable.push(payout);
      take(payout);
    } else if ('fault' in verdict) {
      const { fault, ...rest } = verdict;
      plan.postponed.push({ payout, verdict: rest, fault });
    } else plan.postponed.push({ payout, verdict });
  }
  return plan;
}
