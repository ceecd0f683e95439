import { rippleSecondsCeil } from '@tranche/rules/feed-entry.ts';
import { type CreatedEscrow, countEscrow, type Lock, type LockedToken, promisedUnits } from '@tranche/rules/locks.ts';
import { mapBounded } from '#lib/base/bounded.ts';
import { formatLedgerValue, formatUnits, parseUnits, type TokenUnits } from '#lib/base/money.ts';
import { decimalFault } from '#lib/base/typed-number.ts';
import type { Ctx } from '#lib/ctx.ts';
import { agreedEscrow } from '../feed/agreed-feed.ts';
import type { Faults } from './faults.ts';
import type { ProjectInput } from './project-input.ts';

/** Each is looked up on the ledger whenever a draft is written. */
const MAX_ESCROWS = 100;
const CONCURRENT_LOOK_UPS = 8;

type GivenLocks = Pick<ProjectInput, 'token' | 'locks'>;

/** Amounts fit the token, times lie ahead, and no escrow proves two locks. */
export function checkLockFields({ token, locks }: GivenLocks, nowMs: number, faults: Faults): void {
  const named = new Set<string>();
  for (const [index, lock] of locks.entries()) {
    const units = parseUnits(lock.amount, token.decimals);
    if (units === null || units === 0n) {
      faults.add(
        `locks[${index}].amount`,
        decimalFault(lock.amount, `must be a positive decimal with at most ${token.decimals} fractional digits`),
      );
    }
    if (lock.until.getTime() <= nowMs) faults.add(`locks[${index}].until`, 'must be in the future');
    for (const [at, hash] of lock.escrows.entries()) {
      if (named.has(hash)) faults.add(`locks[${index}].escrows[${at}]`, 'is named already: an escrow proves one lock');
      named.add(hash);
    }
  }
  if (named.size > MAX_ESCROWS) faults.add('locks', `must not name more than ${MAX_ESCROWS} escrows in all`);
}

/**
 * The locks as the terms will hold them, each escrow with the ledger that created it. Each must count for its lock; that
 * they lock enough is asked at the launch. Throws `ledger_unavailable`.
 */
export async function findEscrows(ctx: Ctx, { token, locks }: GivenLocks, faults: Faults): Promise<Lock[]> {
  const given = locks.map(({ label, receiver, amount, until }) => ({
    label,
    receiver,
    amount: formatUnits(parseUnits(amount, token.decimals) ?? 0n, token.decimals),
    until: until.toISOString(),
  }));
  const found = await readEscrows(
    ctx,
    locks.flatMap(({ escrows }) => escrows),
  );
  return given.map((lock, index) => ({
    ...lock,
    escrows: (locks[index]?.escrows ?? []).map((hash, at) => {
      const escrow = found.get(hash) ?? null;
      const fault = escrow === null ? NOT_FOUND : countFault(lock, token, escrow);
      if (fault !== null) faults.add(`locks[${index}].escrows[${at}]`, fault);
      return { transaction_hash: hash, ledger_index: escrow?.ledgerIndex ?? 0 };
    }),
  }));
}

const NOT_FOUND =
  'is no validated, successful EscrowCreate on the ledger: check the hash, and try again when the transaction is validated';

function countFault(lock: Omit<Lock, 'escrows'>, token: LockedToken, escrow: CreatedEscrow): string | null {
  const counted = countEscrow(lock, token, escrow);
  return 'fault' in counted ? counted.fault : null;
}

/** Escrows by the hashes of the transactions that created them; null for those that created none. */
async function readEscrows(ctx: Ctx, hashes: readonly string[]): Promise<Map<string, CreatedEscrow | null>> {
  const read = await mapBounded(hashes, CONCURRENT_LOOK_UPS, async (hash) => agreedEscrow(ctx, hash));
  return new Map(hashes.map((hash, index) => [hash, read[index] ?? null]));
}

/** What the ledger shows of a lock. */
export interface LockFacts extends Lock {
  lockedUnits: TokenUnits;
  missingUnits: TokenUnits;
}

/** What the escrows of stored locks lock, by the ledger. Throws `ledger_unavailable`. */
export async function readLocks(ctx: Ctx, token: LockedToken, locks: readonly Lock[]): Promise<LockFacts[]> {
  const found = await readEscrows(
    ctx,
    locks.flatMap(({ escrows }) => escrows.map(({ transaction_hash: hash }) => hash)),
  );
  return locks.map((lock) => {
    let lockedUnits = 0n;
    for (const { transaction_hash: hash, ledger_index: ledgerIndex } of lock.escrows) {
      const escrow = found.get(hash);
      if (escrow == null || escrow.ledgerIndex !== ledgerIndex) continue;
      const counted = countEscrow(lock, token, escrow);
      if ('units' in counted) lockedUnits += counted.units;
    }
    const missing = promisedUnits(lock, token) - lockedUnits;
    return { ...lock, lockedUnits, missingUnits: missing > 0n ? missing : 0n };
  });
}

/** What to sign for the part of a lock that is missing: the fields that decide, for a holder's wallet to complete. Pure. */
export function missingEscrow({ receiver, until, missingUnits }: LockFacts, token: LockedToken): object {
  const amount =
    token.kind === 'mpt'
      ? { mpt_issuance_id: token.issuance_id, value: missingUnits.toString() }
      : {
          currency: token.currency,
          issuer: token.issuer,
          value: formatLedgerValue(missingUnits, token.decimals),
        };
  return {
    TransactionType: 'EscrowCreate',
    Destination: receiver,
    Amount: amount,
    FinishAfter: rippleSecondsCeil(Date.parse(until)),
  };
}
