/** What one payment of the crowd looks like. */
export type PaymentPlan = {
  amountDrops: bigint;
  /** Without the sale's tag the platform has to send the money back. */
  withTag: boolean;
  /** As an exchange sends it: distributions and refunds have to carry it back. */
  sourceTag: number | null;
};

const DROPS_PER_XRP = 1_000_000;

/** Draws a payment. `random` gives numbers from 0 to below 1, so that tests can choose what comes. */
export function planPayment(random: () => number): PaymentPlan {
  return {
    amountDrops: drawAmountDrops(random),
    withTag: random() >= 0.04,
    sourceTag: random() < 0.25 ? 1 + Math.floor(random() * 0xffff_fffe) : null,
  };
}

/** Whether an investor sets the trust line only after having paid; the tokens have to wait for it. */
export function isForgetful(random: () => number): boolean {
  return random() < 0.25;
}

function drawAmountDrops(random: () => number): bigint {
  const kind = random();
  // Now and then one that spans two tiers, and many whose change does not come out even.
  if (kind < 0.03) return BigInt((150 + Math.floor(random() * 150)) * DROPS_PER_XRP);
  if (kind < 0.4) return BigInt(Math.floor((2 + random() * 28) * DROPS_PER_XRP));
  return BigInt((2 + Math.floor(random() * 28)) * DROPS_PER_XRP);
}
