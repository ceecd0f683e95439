import { judgePayout, type PayoutFacts } from './judge.ts';
import type { Asset, Payout, Verdict } from './types.ts';

export interface Plan {
  payable: Payout[];
  postponed: { payout: Payout; verdict: Exclude<Verdict, { kind: 'pay' }> }[];
}

export function assetKey(asset: Asset): string {
  if (asset.kind === 'xrp') return 'xrp';
  return asset.kind === 'mpt' ? asset.issuanceId : `${asset.currency}.${asset.issuer}`;
}

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
export function planPayouts(due: readonly { payout: Payout; facts: PayoutFacts }[], inFlight: readonly Payout[]): Plan {
  const fromPayer = new Sums();
  const byHolder = new Sums();
  const holderKey = (payout: Payout) => `${payout.destination} ${assetKey(payout.asset)}`;
  const take = (payout: Payout) => {
    fromPayer.add(assetKey(payout.asset), payout.amount);
    byHolder.add(holderKey(payout), payout.amount);
  };
  for (const payout of inFlight) take(payout);
  const plan: Plan = { payable: [], postponed: [] };
  for (const { payout, facts } of due) {
    const verdict = judgePayout(payout, facts, {
      fromPayer: fromPayer.get(assetKey(payout.asset)),
      byHolder: byHolder.get(holderKey(payout)),
    });
    if (verdict.kind === 'pay') {
      plan.payable.push(payout);
      take(payout);
    } else plan.postponed.push({ payout, verdict });
  }
  return plan;
}
