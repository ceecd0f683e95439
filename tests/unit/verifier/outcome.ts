export type Row = Record<string, string | number | null>;

/** All that follows from a history: the published rows as their texts, the rest in drops, units and milliseconds. */
export interface Outcome {
  sales: SaleOutcome[];
  /** Payments to no project of the account. */
  strays: { hash: string; reason: string | null; refunded: bigint; held: bigint }[];
  /** Payments that an `assign` may still name, in the order in which they came. */
  held: string[];
}

export interface SaleOutcome {
  project: string;
  status: string;
  endReason: string | null;
  endedAt: number | null;
  raised: bigint;
  soldByTier: bigint[];
  listHash: string | null;
  payments: Row[];
  allocations: Row[];
  /** What is owed as if nothing had been paid yet. */
  payouts: Row[];
  /** What a cancelled sale owes back of each invested payment when `paidUnits` of it were paid before; null when too little. */
  unwinding: { payment: string; back: Row | null }[];
}

/** Units of a payment's parts that count as paid in this comparison: any first few of them, by its hash. */
export function paidUnits(hash: string, units: readonly bigint[]): bigint {
  const paid = Number.parseInt(hash.slice(0, 4), 16) % (units.length + 1);
  return units.slice(0, paid).reduce((sum, each) => sum + each, 0n);
}
