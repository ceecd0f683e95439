import { sql } from 'drizzle-orm';
import { payouts } from '#drizzle/schema/payouts.ts';
import { payments } from '#drizzle/schema/sale.ts';
import { bulkRows, textArray } from '#lib/base/bulk.ts';
import type { Tx } from '#lib/base/db.ts';
import type { TokenUnits } from '#lib/base/money.ts';

/** A payout as it is to be written; its DestinationTag is read from the payment's own row. */
export interface NewPayout {
  id: string;
  kind: 'distribution' | 'refund';
  project_id: string | null;
  investment_id: string | null;
  payment_hash: string;
  part: number;
  account: string;
  destination: string;
  amount: bigint;
  due_at: Date;
}

/**
 * Writes what a sale owes, in its own transaction. One statement for any number. What is owed already is left alone: (kind,
 * payment, part) is unique. Returns how many were written for the first time.
 */
export async function createPayouts(tx: Tx, owed: readonly NewPayout[]): Promise<number> {
  if (owed.length === 0) return 0;
  // DestinationTag of a payout is the payment's SourceTag (docs/verification.md, section 6): read from the payment's
  // own row.
  const written = await tx.execute(sql`
    insert into ${payouts} (id, kind, project_id, investment_id, payment_hash, part, account, destination,
      destination_tag, amount, due_at)
    select g.id, g.kind, g.project_id, g.investment_id, g.payment_hash, g.part, g.account, g.destination, p.source_tag,
      g.amount, g.due_at
    from ${bulkRows(
      'g',
      {
        id: 'text',
        kind: 'text',
        project_id: 'text',
        investment_id: 'text',
        payment_hash: 'text',
        part: 'integer',
        account: 'text',
        destination: 'text',
        amount: 'bigint',
        due_at: 'timestamptz',
      },
      owed,
    )}
    -- As an array they are found by one pass through the index, and not by a join that would read the whole table.
    join ${payments} p on p.tx_hash = g.payment_hash and p.tx_hash = any (${textArray(owed.map((each) => each.payment_hash))})
    on conflict do nothing`);
  return written.rowCount ?? 0;
}

/** Tokens that an account owes to put in escrow to itself, for whatever reason. */
export interface NewLock {
  id: string;
  projectId: string;
  /** A sale has each part once. */
  part: number;
  account: string;
  amount: TokenUnits;
  /** A whole second. */
  lockedUntil: Date;
  dueAt: Date;
}

/** Writes locks that a sale owes, in its own transaction. What is owed already is left alone: (project, part) is unique. */
export async function createLocks(tx: Tx, owed: readonly NewLock[]): Promise<void> {
  if (owed.length === 0) return;
  await tx
    .insert(payouts)
    .values(owed.map((lock) => ({ ...lock, kind: 'lock' as const, destination: lock.account })))
    .onConflictDoNothing();
}

/** Looked at before all that is due with it: what it gives back may pay the rest. */
const FIRST_OF_ALL = new Date(0);

/**
 * Writes unlocks, one for each of these locks: the end of its escrow, due when that can end. What is owed already is left
 * alone: (project, part) is unique.
 */
export async function createUnlocks(tx: Tx, owed: readonly Omit<NewLock, 'dueAt'>[]): Promise<void> {
  if (owed.length === 0) return;
  await tx
    .insert(payouts)
    .values(
      owed.map((unlock) => ({
        ...unlock,
        kind: 'unlock' as const,
        destination: unlock.account,
        dueAt: unlock.lockedUntil,
        nextCheckAt: FIRST_OF_ALL,
      })),
    )
    .onConflictDoNothing();
}
