import { z } from 'zod';

/** The application's clock. Rules about money never read it: they use ledger close times. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  nowMs(): number;
}

export const systemClock: Clock = { nowMs: () => Date.now() };

/** The schema of every time in an answer or event. */
export const isoTime = z.iso.datetime().meta({ description: 'ISO 8601 UTC', example: '2026-11-21T12:00:00.000Z' });

/** ISO 8601 UTC with milliseconds, the wire form of every time. */
export const toIso = (date: Date): string => date.toISOString();
export const toIsoOrNull = (date: Date | null): string | null => (date === null ? null : date.toISOString());
