import type { FieldError } from '#lib/base/errors.ts';

const DAY_MS = 86_400_000;
/** A sale's end is confirmed, and its tokens are put in escrow, well before they may move again. */
const MIN_DAYS_AFTER_END = 2;
/** As long as a vesting may take. What stands in escrow comes back no sooner, whatever year was meant. */
const MAX_DAYS_AFTER_END = 3_650;

interface UnsoldTerm {
  unsoldUntil: Date | null;
  endsAt: Date | null;
  distributor: string;
  issuer: string | null;
}

/** What a sale's own terms say against a lock of its unsold tokens; empty without one. Pure. */
export function unsoldFaults({ unsoldUntil, endsAt, distributor, issuer }: UnsoldTerm): FieldError[] {
  if (unsoldUntil === null) return [];
  const faults: FieldError[] = [];
  const fault = (message: string) => void faults.push({ field: 'unsold_until', message });
  if (unsoldUntil.getTime() % 1_000 !== 0) fault('must be a whole second: the ledger counts no less');
  if (distributor === issuer) {
    fault('needs a distributor that is not the issuer: an issuer cannot put its own token in escrow');
  }
  if (endsAt === null) fault('needs ends_at: without it nothing says when the rest is unsold');
  else {
    const afterEndMs = unsoldUntil.getTime() - endsAt.getTime();
    if (afterEndMs < MIN_DAYS_AFTER_END * DAY_MS) fault(`must be at least ${MIN_DAYS_AFTER_END} days after ends_at`);
    else if (afterEndMs > MAX_DAYS_AFTER_END * DAY_MS) {
      fault(`must be at most ${MAX_DAYS_AFTER_END} days after ends_at`);
    }
  }
  return faults;
}
