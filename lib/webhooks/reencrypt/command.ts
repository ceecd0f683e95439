import { randomBytes } from 'node:crypto';
import { count, or, sql } from 'drizzle-orm';
import { webhooks } from '#drizzle/schema/events.ts';
import { bulkRows } from '#lib/base/bulk.ts';
import { type Db, openDatabase } from '#lib/base/db.ts';
import { env } from '#lib/base/env.ts';
import type { RandomBytes } from '#lib/base/ids.ts';
import { newestKeyId, seal, unseal } from '#lib/base/secretbox.ts';
import { headersContext } from '#lib/webhooks/custom-headers.ts';

/** Seals every webhook's secret and headers under the newest key and says how it went. Gives the exit code: 0 when none is left. */
export async function reencryptWebhooks(say: (line: string) => void): Promise<number> {
  const { db, close } = await openDatabase(env().POSTGRES_URL, 1);
  try {
    const { resealed, unreadable, left } = await resealSecrets(db, randomBytes, (done, total) =>
      say(`re-sealed ${done} of ${total} webhooks`),
    );
    for (const id of unreadable) {
      say(`${id} does not open: its key is not in WEBHOOK_ENCRYPTION_KEYS, or it was altered`);
    }
    say(`${resealed} webhooks re-sealed, ${left} not under the newest key ${newestKeyId()}`);
    if (left > unreadable.length) say('Some were being changed: run this again');
    return left === 0 ? 0 : 1;
  } finally {
    await close();
  }
}

/** What a run came to, in webhooks. */
interface Resealed {
  resealed: number;
  /** Whose secret does not open: its key is not among the settings, or it was altered or moved. */
  unreadable: string[];
  /** Still not under the newest key: the unreadable ones, and those that were locked just then. */
  left: number;
}

const notUnderNewestKey = () => {
  const form = `${newestKeyId()}.`;
  return or(
    sql`not starts_with(${webhooks.sealedSecret}, ${form})`,
    sql`not starts_with(${webhooks.nextSealedSecret}, ${form})`,
    sql`not starts_with(${webhooks.sealedHeaders}, ${form})`,
  );
};

async function countLeft(db: Db): Promise<number> {
  const [row] = await db.select({ webhooks: count() }).from(webhooks).where(notUnderNewestKey());
  return row?.webhooks ?? 0;
}

interface Row {
  id: string;
  sealedSecret: string;
  nextSealedSecret: string | null;
  sealedHeaders: string | null;
}

/** The row under the newest key; null when it does not open. */
function reseal({ id, sealedSecret, nextSealedSecret, sealedHeaders }: Row, random: RandomBytes): Row | null {
  const again = (sealed: string, context = id) => seal(unseal(sealed, context), context, random);
  try {
    return {
      id,
      sealedSecret: again(sealedSecret),
      nextSealedSecret: nextSealedSecret === null ? null : again(nextSealedSecret),
      sealedHeaders: sealedHeaders === null ? null : again(sealedHeaders, headersContext(id)),
    };
  } catch {
    return null;
  }
}

/** Re-seals up to `most` webhooks after `afterId`; gives the ids that it looked at and those that do not open. */
const resealBatch = (db: Db, random: RandomBytes, afterId: string, most: number) =>
  db.transaction(async (tx) => {
    const rows = await tx
      .select({
        id: webhooks.id,
        sealedSecret: webhooks.sealedSecret,
        nextSealedSecret: webhooks.nextSealedSecret,
        sealedHeaders: webhooks.sealedHeaders,
      })
      .from(webhooks)
      .where(sql`${webhooks.id} > ${afterId} and (${notUnderNewestKey()})`)
      .orderBy(webhooks.id)
      .limit(most)
      // Who changes a webhook just now must never wait for this, nor this for them.
      .for('no key update', { skipLocked: true });
    const resealed = rows.map((row) => reseal(row, random));
    const given = bulkRows(
      'given',
      { id: 'text', sealed: 'text', next_sealed: 'text', headers: 'text' },
      resealed
        .filter((row) => row !== null)
        .map((row) => ({
          id: row.id,
          sealed: row.sealedSecret,
          next_sealed: row.nextSealedSecret,
          headers: row.sealedHeaders,
        })),
    );
    await tx.execute(sql`
      update ${webhooks} w set sealed_secret = given.sealed, next_sealed_secret = given.next_sealed, sealed_headers = given.headers
      from ${given} where w.id = given.id`);
    return {
      ids: rows.map(({ id }) => id),
      unreadable: rows.flatMap(({ id }, i) => (resealed[i] === null ? [id] : [])),
    };
  });

/**
 * Seals every webhook's secrets under the newest key that are under another, a batch a transaction: what is done stays done,
 * and a run that was broken off is made up for by the next. What does not open stays as it is and stops nothing.
 * `progress` hears after each batch how many of how many are done.
 */
export async function resealSecrets(
  db: Db,
  random: RandomBytes,
  progress: (done: number, total: number) => void,
  batchSize = 500,
): Promise<Resealed> {
  const total = await countLeft(db);
  const unreadable: string[] = [];
  let resealed = 0;
  for (let afterId = ''; ; ) {
    const batch = await resealBatch(db, random, afterId, batchSize);
    const last = batch.ids.at(-1);
    if (last === undefined) break;
    afterId = last;
    unreadable.push(...batch.unreadable);
    resealed += batch.ids.length - batch.unreadable.length;
    progress(resealed, total);
  }
  return { resealed, unreadable, left: await countLeft(db) };
}
