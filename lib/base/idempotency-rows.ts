import { sql } from 'drizzle-orm';
import { idempotencyKeys } from '#drizzle/schema/access.ts';
import type { Db } from './db.ts';

/** Hours that an answer is kept; after them its key is free again. */
export const KEPT_HOURS = 24;

/** Longer than any function may run: a request that holds a key for so many seconds has died. */
export const LOCK_SECONDS = 300;

/** A key of a client, within the credential that sent it. */
export interface IdempotencyScope {
  scope: string;
  key: string;
}

/** One request under a key: SHA-256 of what it asks, and its own id. */
export interface KeyedRequest extends IdempotencyScope {
  requestHash: string;
  requestId: string;
}

export type Claim =
  /** The caller does the work, and keeps its answer or frees the key. */
  | { kind: 'mine' }
  | { kind: 'answered'; status: number; sealedResponse: string }
  /** Another request with the same content works on it. */
  | { kind: 'in_flight' }
  /** The key stands for a request with another content. */
  | { kind: 'reused' };

/**
 * Takes the key for one request, by the database's clock and in one statement, so that of any number at once one gets it:
 * a new key, one whose answer is too old to be kept, and one whose holder died while it did the same.
 */
export async function claimKey(db: Db, { scope, key, requestHash, requestId }: KeyedRequest): Promise<Claim> {
  const lock = sql`now() + make_interval(secs => ${LOCK_SECONDS}::integer)`;
  const taken = await db.execute(sql`
    insert into ${idempotencyKeys} as k (scope, key, request_hash, request_id, locked_until)
    values (${scope}, ${key}, ${requestHash}, ${requestId}, ${lock})
    on conflict (scope, key) do update
      set request_hash = excluded.request_hash, request_id = excluded.request_id, locked_until = excluded.locked_until,
        response_status = null, sealed_response = null, created_at = now()
      where k.created_at <= now() - make_interval(hours => ${KEPT_HOURS}::integer)
        or (k.response_status is null and k.locked_until <= now() and k.request_hash = excluded.request_hash)
    returning 1`);
  if (taken.rows.length === 1) return { kind: 'mine' };
  const found = await db.execute<{ hash: string; status: number | null; sealed: string | null }>(sql`
    select request_hash as hash, response_status as status, sealed_response as sealed from ${idempotencyKeys}
    where scope = ${scope} and key = ${key}`);
  const row = found.rows[0];
  if (row !== undefined && row.hash !== requestHash) return { kind: 'reused' };
  // A row that went meanwhile was freed by a request that failed: this one may come again like any other.
  if (row === undefined || row.status === null || row.sealed === null) return { kind: 'in_flight' };
  return { kind: 'answered', status: row.status, sealedResponse: row.sealed };
}

/** Keeps the answer under the key, unless another request took the key over meanwhile. */
export async function storeAnswer(
  db: Db,
  { scope, key, requestId }: Omit<KeyedRequest, 'requestHash'>,
  answer: { status: number; sealedResponse: string },
): Promise<void> {
  await db.execute(sql`
    update ${idempotencyKeys} set response_status = ${answer.status}, sealed_response = ${answer.sealedResponse}
    where scope = ${scope} and key = ${key} and request_id = ${requestId} and response_status is null`);
}

/** Gives the key back without an answer: the next request with it does the work. */
export async function releaseKey(db: Db, { scope, key, requestId }: Omit<KeyedRequest, 'requestHash'>): Promise<void> {
  await db.execute(sql`
    delete from ${idempotencyKeys}
    where scope = ${scope} and key = ${key} and request_id = ${requestId} and response_status is null`);
}

/** Rows that one statement takes on. */
const PRUNE_ROWS = 5_000;

/** Deletes answers that are kept no longer, the oldest first; gives how many. Safe beside itself. */
export async function pruneKeys(db: Db): Promise<number> {
  const gone = await db.execute(sql`
    delete from ${idempotencyKeys} where (scope, key) in (
      select scope, key from ${idempotencyKeys}
      where created_at <= now() - make_interval(hours => ${KEPT_HOURS}::integer)
      order by created_at limit ${PRUNE_ROWS} for update skip locked)`);
  return gone.rowCount ?? 0;
}
