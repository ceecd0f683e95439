/** What the network charges and expects; fixed for the life of a sandbox ledger. All amounts in drops. */
export type NetworkRules = {
  readonly networkId: number;
  readonly baseFeeDrops: bigint;
  readonly reserveBaseDrops: bigint;
  readonly reserveIncDrops: bigint;
  /** The amendments that are enabled, by name. */
  readonly amendments: ReadonlySet<string>;
};

/** The XRP an account must keep while it owns that many objects. */
export function reserveDrops(rules: NetworkRules, ownerCount: number): bigint {
  return rules.reserveBaseDrops + rules.reserveIncDrops * BigInt(ownerCount);
}

/** Networks from this ID on require NetworkID in every transaction; the others refuse it. */
export const FIRST_NETWORK_WITH_FIELD = 1025;
