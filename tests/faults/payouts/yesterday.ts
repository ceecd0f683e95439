import { sql } from 'drizzle-orm';
import type { Db } from '#lib/base/db.ts';
import { guardKey } from '#lib/payouts/restore-guard.ts';
import { NETWORK_ID } from '#tests/integration/xrpl/desk.ts';
import { testEnv } from '#tests/support/env.ts';

/** What a slice of paying out writes. What the feed writes comes back from the ledger after a restore. */
const TABLES = [
  'payouts',
  'payout_attempts',
  'payout_counts',
  'ticket_requests',
  'ticket_assignments',
  'events',
] as const;

/** Keeps the records of paying out as they are now. */
export async function backUp(db: Db): Promise<void> {
  await db.execute(sql`create schema yesterday`);
  for (const table of TABLES) await db.execute(sql.raw(`create table yesterday.${table} as table ${table}`));
}

/**
 * The database is yesterday's again, and Redis remembers nothing: what was decided since comes back from the ledger, what was
 * signed and paid since is unknown. Gives the hashes of the attempts that it has forgotten.
 */
export async function restore(db: Db, redisUrl: string): Promise<string[]> {
  const { rows } = await db.execute<{ hash: string }>(sql`
    select tx_hash as hash from payout_attempts where tx_hash not in (select tx_hash from yesterday.payout_attempts)`);
  await db.transaction(async (tx) => {
    for (const table of ['ticket_assignments', 'payout_attempts', 'payout_counts', 'ticket_requests']) {
      await tx.execute(sql.raw(`delete from ${table}`));
    }
    await tx.execute(sql`delete from events where id not in (select id from yesterday.events)`);
    await tx.execute(sql`
      update payouts as p set status = coalesce(y.status, 'scheduled'), reason = y.reason, tx_hash = y.tx_hash,
        ledger_index = y.ledger_index, validated_at = y.validated_at, next_check_at = now()
      from payouts as own left join yesterday.payouts as y on y.id = own.id where own.id = p.id`);
    for (const table of ['payout_attempts', 'payout_counts', 'ticket_requests', 'ticket_assignments']) {
      await tx.execute(sql.raw(`insert into ${table} select * from yesterday.${table}`));
    }
  });
  const answer = await fetch(redisUrl, {
    method: 'POST',
    headers: { authorization: `Bearer ${testEnv().KV_REST_API_TOKEN}` },
    body: JSON.stringify(['DEL', guardKey(NETWORK_ID)]),
  });
  if (!answer.ok) throw new Error(`Redis has not forgotten: ${await answer.text()}`);
  return rows.map(({ hash }) => hash);
}
