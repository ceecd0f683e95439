import { z } from 'zod';

export { isoTime } from '@tranche/rules/wire.ts';

/** The application's clock. Rules about money never read it: they use ledger close times. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  nowMs(): number;
}

export const systemClock: Clock = { nowMs: () => Date.now() };

/** A time that a client gives, with a zone. */
export const givenTime = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 time with a zone' })
  .transform((text) => new Date(text));

/** ISO 8601 UTC with milliseconds, the wire form of every time. */
export const toIso = (date: Date): string => date.toISOString();
export const toIsoOrNull = (date: Date | null): string | null => (date === null ? null : date.toISOString());
