export { isoTime } from '@tranche/rules/wire.ts';

/** The application's clock. Rules about money never read it: they use ledger close times. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  nowMs(): number;
}

export const systemClock: Clock = { nowMs: () => Date.now() };

/** ISO 8601 UTC with milliseconds, the wire form of every time. */
export const toIso = (date: Date): string => date.toISOString();
export const toIsoOrNull = (date: Date | null): string | null => (date === null ? null : date.toISOString());
