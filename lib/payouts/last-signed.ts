import { sql } from 'drizzle-orm';
import { payoutAttempts, payouts } from '#drizzle/schema/payouts.ts';
import type { Ctx } from '#lib/ctx.ts';
import { env } from '#lib/platform/env.ts';

/**
 * What Redis remembers of an account, so that a database restored from a backup is told from the one that paid last: the hash
 * of the newest transaction that this platform signed, and of the newest one by which an operator settled a payout. Each
 * stands for itself: who has matched one by hand has not matched the other, nor those before it.
 */
type Notes = { signed?: string; settled?: string };

/** An account has one address on every network. */
const keyOf = (account: string): string => `payouts:last-signed:${env().XRPL_NETWORK_ID}:${account}`;

const read = async (ctx: Ctx, account: string): Promise<Notes> =>
  (await ctx.redis.hgetall<Record<keyof Notes, string>>(keyOf(account))) ?? {};
const write = (ctx: Ctx, account: string, notes: Notes): Promise<unknown> => ctx.redis.hset(keyOf(account), notes);

/** Which of the notes the database does not know, and what it has signed last itself. */
async function compare(
  ctx: Ctx,
  account: string,
  { signed = null, settled = null }: { [K in keyof Notes]: Notes[K] | null },
) {
  const { rows } = await ctx.db.execute<{ signed: string | null; settled: string | null; newest: string | null }>(sql`
    select
      case when not exists (select from ${payoutAttempts} where tx_hash = ${signed}::text) then ${signed}::text end as signed,
      case when not exists (select from ${payouts} where tx_hash = ${settled}::text and status = 'validated')
        then ${settled}::text end as settled,
      (select tx_hash from ${payoutAttempts} where account = ${account} and status in ('open', 'validated')
        order by created_at desc, tx_hash desc limit 1) as newest`);
  const [row] = rows;
  if (row === undefined) throw new Error('A select without a table gave no row');
  return row;
}

/**
 * Remembers what the database has just persisted for an account. Called between that commit and the submission. Never
 * throws: without the cache nothing is remembered, payouts go on, and the next slice of the account makes it good.
 */
export async function noteLastSigned(ctx: Ctx, account: string, txHash: string): Promise<void> {
  try {
    await write(ctx, account, { signed: txHash });
  } catch (err) {
    ctx.log.warn({ err, account }, 'what was signed last could not be noted');
  }
}

/** The same for a payout that an operator has settled, unless the database does not know the one before. Never throws. */
export async function noteSettled(ctx: Ctx, account: string, txHash: string): Promise<void> {
  try {
    const { settled } = await compare(ctx, account, await read(ctx, account));
    if (settled === null) await write(ctx, account, { settled: txHash });
  } catch (err) {
    ctx.log.warn({ err, account }, 'what was settled last could not be noted');
  }
}

/**
 * The transaction that Redis remembers and the database does not know: it has been restored from a backup, or another one has
 * taken its place, and it takes for owed what was paid since (docs/operations.md, "Backup and restore"). Null when it knows
 * all, and when the cache says nothing. A note that was lost is made good: nothing is handed in again before.
 */
export async function findUnknownSigned(ctx: Ctx, account: string): Promise<string | null> {
  let notes: Notes;
  try {
    notes = await read(ctx, account);
  } catch (err) {
    ctx.log.warn({ err, account }, 'what was signed last could not be read');
    return null;
  }
  const { signed, settled, newest } = await compare(ctx, account, notes);
  const unknown = signed ?? settled;
  if (unknown === null && newest !== null && newest !== notes.signed) await noteLastSigned(ctx, account, newest);
  return unknown;
}
