import type { Vesting } from '@tranche/rules/vesting.ts';
import type { FieldError } from '#lib/base/errors.ts';

const DAY_MS = 86_400_000;
/** Each is an entry that the distributor keeps a reserve for, and two transactions. */
const MAX_LOCKS = 100;

interface VestingDays {
  vesting: Vesting;
  distribution: 'immediate' | 'at_end';
  startsAt: Date | null;
  endsAt: Date | null;
}

interface VestingLockedTerm extends VestingDays {
  vestingLocked: boolean;
  distributor: string;
  issuer: string | null;
}

/**
 * The most UTC days on which a sale that begins no sooner than `nowMs` can have tokens of its vesting due: each day has a lock of its own.
 * Zero for a sale without an end, or without periods. Pure.
 */
export function mostVestingLocks(term: VestingDays, nowMs: number): number {
  const { vesting, distribution, startsAt, endsAt } = term;
  if (endsAt === null || vesting.periods === 0) return 0;
  const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);
  const begins = Math.min(Math.max(startsAt?.getTime() ?? nowMs, nowMs), endsAt.getTime());
  // Parts are counted from the end of the sale, or from any day on which it sells.
  const days = distribution === 'at_end' ? 1 : dayOf(endsAt.getTime()) - dayOf(begins) + 1;
  // A period that is shorter than the sale shares days with the one before.
  return days + (vesting.periods - 1) * Math.min(days, vesting.period_days);
}

/** What a sale's own terms say against locks of what its vesting owes; empty when it promises none. Pure. */
export function vestingLockedFaults(term: VestingLockedTerm, nowMs: number): FieldError[] {
  if (!term.vestingLocked) return [];
  const faults: FieldError[] = [];
  const fault = (message: string) => void faults.push({ field: 'vesting_locked', message });
  if (term.distributor === term.issuer) {
    fault('needs a distributor that is not the issuer: an issuer cannot put its own token in escrow');
  }
  if (term.vesting.periods === 0) fault('needs vesting: without periods nothing is owed later');
  if (term.endsAt === null) fault('needs ends_at: at the end what vesting owes is put in escrow');
  const locks = mostVestingLocks(term, nowMs);
  if (locks > MAX_LOCKS) {
    const fewer =
      term.distribution === 'at_end'
        ? 'Use fewer periods'
        : 'Use fewer periods, let starts_at and ends_at lie closer together, or use distribution "at_end"';
    fault(`can have tokens due on ${locks} days, each with an escrow of its own; at most ${MAX_LOCKS}. ${fewer}`);
  }
  return faults;
}
