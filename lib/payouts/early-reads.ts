import type { SQL } from 'drizzle-orm';
import { awaitedLater } from '#lib/base/awaited-later.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { ServerState } from '#lib/xrpl/types.ts';
import { findPayer } from './attempts.ts';
import { type Allowance, isMinor, readAllowance } from './ceiling.ts';
import { type CheckedPayout, readFacts } from './check.ts';
import { type DuePayout, loadDue } from './load.ts';
import { checkRestoreGuard } from './restore-guard.ts';
import { freeTickets } from './tickets.ts';
import { BATCH, MAX_IN_FLIGHT } from './types.ts';

/** The next due payouts of an account as they were read, before anything of them is decided. */
export interface DueRead {
  server: ServerState;
  ledgerTime: Date;
  /** How many were asked for, and of them how many minor ones ahead of all others. */
  limit: number;
  minorFirst: number;
  loaded: DuePayout[];
}

/** Of an allowance, what says which payouts are read next. */
type ReadingAllowance = Pick<Allowance, 'payouts' | 'reservedForMinor' | 'frequent'>;

/** An hour with room for all that may be under way at once and for what is kept for minor payouts, in which nobody was paid often. */
const AMPLE: ReadingAllowance = { payouts: Number.POSITIVE_INFINITY, reservedForMinor: 0, frequent: [] };

/** True where the same payouts are read as under `AMPLE`. */
const isAmple = ({ payouts, reservedForMinor, frequent }: ReadingAllowance): boolean =>
  payouts - MAX_IN_FLIGHT >= Math.max(0, reservedForMinor) && frequent.length === 0;

/** At most `most` of them, and as many as the hour allows: it allows one at least. */
export async function readDue(
  ctx: Ctx,
  account: string,
  allowance: ReadingAllowance,
  most: number,
  server: ServerState,
  among?: SQL,
): Promise<DueRead> {
  const ledgerTime = new Date(server.validatedAtMs);
  const limit = Math.min(most, allowance.payouts);
  // Where the others of this batch could use up what is kept for minor payouts, those go first.
  const minorFirst =
    allowance.payouts - limit < allowance.reservedForMinor ? Math.min(limit, allowance.reservedForMinor) : 0;
  const loaded = await loadDue(ctx.db, account, ledgerTime, limit, isMinor(allowance.frequent), minorFirst, among);
  return { server, ledgerTime, limit, minorFirst, loaded };
}

/** What the first batch of a slice needs, for as many payouts as may be under way at once. */
export interface EarlyBatch {
  /** All that was read of the ledger is of this one, or of later ones. */
  readIn: number;
  due: DueRead;
  payer: Awaited<ReturnType<typeof findPayer>>;
  guard: ReturnType<typeof checkRestoreGuard>;
  stock: ReturnType<typeof freeTickets>;
  /** About the first `BATCH` of them; null where nothing can be paid from the account. */
  facts: Promise<CheckedPayout[]> | null;
}

export interface EarlyReads {
  allowance: Promise<Allowance>;
  /** Null where nothing is due, or nothing allowed. */
  batch: Promise<EarlyBatch | null>;
}

/**
 * Begins to read what a slice pays from an account of one key, while it settles what is under way. Holds where nothing came of
 * that but paid tokens: all else may change what is due, what the hour allows, and which tickets are free. And what was read of the
 * ledger holds only where no later one has decided what was under way: it would count tokens that have left, and reserve that is used.
 */
export function beginEarlyReads(ctx: Ctx, account: string): EarlyReads {
  const allowance = awaitedLater(readAllowance(ctx, account));
  const payer = awaitedLater(findPayer(ctx, account, { custody: null }));
  return { allowance, batch: awaitedLater(readBatch(ctx, account, allowance, payer)) };
}

/**
 * Resolves when what was read early writes nothing more. Its check of the restore guard may write: behind that of a later
 * batch, or of the lease's next holder, it would put back what that has replaced. Never throws.
 */
export const setAside = ({ batch }: EarlyReads): Promise<unknown> =>
  batch.then((read) => read?.guard).catch(() => undefined);

async function readBatch(
  ctx: Ctx,
  account: string,
  allowance: Promise<Allowance>,
  paidBy: ReturnType<typeof findPayer>,
): Promise<EarlyBatch | null> {
  const server = await ctx.ledger.serverState();
  // To count what an hour has paid takes longer than to read what is due, and seldom changes it.
  const usual = awaitedLater(readDue(ctx, account, AMPLE, MAX_IN_FLIGHT, server));
  const allowed = await allowance;
  if (allowed.payouts <= 0) return null;
  const due = await (isAmple(allowed) ? usual : readDue(ctx, account, allowed, MAX_IN_FLIGHT, server));
  if (due.loaded.length === 0) return null;
  const stock = awaitedLater(freeTickets(ctx, account));
  const guard = awaitedLater(checkRestoreGuard(ctx, account));
  const payer = await paidBy;
  const first = due.loaded.slice(0, BATCH);
  const facts = typeof payer === 'string' ? null : awaitedLater(readFacts(ctx.ledger, payer.payer, server, first));
  const readIn =
    typeof payer === 'string' ? server.validatedIndex : Math.min(server.validatedIndex, payer.payer.ledgerIndex);
  return { readIn, due, payer, guard, stock, facts };
}
