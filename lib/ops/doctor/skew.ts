import { type Finding, fault, ok, warning } from './types.ts';

/** A callback's signature is taken with this tolerance (lib/base/queue.ts). */
const TOLERATED_MS = 5_000;
/** The clocks that are asked tell whole seconds. */
const EXACT_MS = 2_000;

const seconds = (ms: number): string => `${(Math.abs(ms) / 1000).toFixed(1)} s`;

/** Another clock's time, and between which two times of this machine's it was told. */
export interface ClockReading {
  otherMs: number;
  askedAtMs: number;
  answeredAtMs: number;
}

/** How far another clock is from this machine's. What the question itself may have taken counts for neither. */
export function skewFinding(other: string, { otherMs, askedAtMs, answeredAtMs }: ClockReading): Finding {
  const check = `clock against ${other}`;
  const aheadMs = otherMs - (askedAtMs + answeredAtMs) / 2;
  const certainMs = Math.abs(aheadMs) - (answeredAtMs - askedAtMs) / 2;
  const found = `${other} is ${seconds(aheadMs)} ${aheadMs < 0 ? 'behind' : 'ahead'}`;
  const advice =
    'Set this machine’s clock by a time server; when this machine is right, ask the operator of the other one.';
  if (certainMs > TOLERATED_MS) return fault(check, found, advice);
  return certainMs > EXACT_MS ? warning(check, found, advice) : ok(check, found);
}
