import { and, eq, getTableColumns, sql } from 'drizzle-orm';
import { holderPages, holderSyncs } from '#drizzle/schema/holders.ts';
import type { Db } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import type { Ctx } from '#lib/ctx.ts';
import { type LedgerToken, tokenName } from '#lib/xrpl/token.ts';
import type { HolderPage, OpenedHolders } from '#lib/xrpl/types.ts';
import type { SyncReport } from './contracts.ts';
import { finishSync, type Sync } from './finish-sync.ts';
import type { TrackedToken } from './tokens.ts';

/**
 * Begins a synchronisation in the ledger that was opened, and abandons the one that the token may have left over. Throws
 * by the unique index when another run begins one at the same time.
 */
export function startSync(ctx: Ctx, token: LedgerToken, opened: OpenedHolders): Promise<Sync> {
  const name = tokenName(token);
  return ctx.db.transaction(async (tx) => {
    await tx
      .update(holderSyncs)
      .set({ status: 'abandoned', marker: null })
      .where(and(eq(holderSyncs.token, name), eq(holderSyncs.status, 'running')));
    const [sync] = await tx
      .insert(holderSyncs)
      .values({
        id: newId('sync', ctx.random),
        token: name,
        ledgerIndex: opened.ledgerIndex,
        ledgerHash: opened.hash,
        ledgerClosedAt: new Date(opened.closedAtMs),
        server: opened.server,
        assetScale: opened.assetScale,
        startedAt: new Date(ctx.clock.nowMs()),
      })
      .returning(getTableColumns(holderSyncs));
    if (sync === undefined) throw new Error('The database did not return the row that it inserted');
    return sync;
  });
}

/**
 * So many holders are written at once, some pages together: a statement costs more than its rows. Until then they wait in
 * memory, and as many again while a statement is under way. Nothing is lost by that: who is killed begins anew all the same.
 */
const HOLDERS_A_STATEMENT = 3_000;

/** Stands in no address and in no number. */
const SEPARATOR = ' ';

interface PageWriter {
  /** Takes the next page; waits only while two statements' holders are waiting. False once the synchronisation is another's. */
  take(page: HolderPage): Promise<boolean>;
  /** Settles when all that was taken is written. False when the synchronisation is another's: then the rest is not written. */
  end(): Promise<boolean>;
}

/** Writes a synchronisation's pages in their order, from its page number `pages` on, while the next ones are read. */
function pageWriter(db: Db, { id, pages }: { id: string; pages: number }): PageWriter {
  let waiting: HolderPage[] = [];
  let waitingHolders = 0;
  let written = pages;
  let last = Promise.resolve(true);
  const write = (): void => {
    const batch = waiting;
    [waiting, waitingHolders] = [[], 0];
    last = last.then(async (isOurs) => {
      const position = { id, pages: written };
      written += batch.length;
      return isOurs && writePages(db, position, batch);
    });
    // The error is thrown where it is waited for.
    last.catch(() => undefined);
  };
  return {
    async take(page) {
      waiting.push(page);
      waitingHolders += page.holders.length;
      if (waitingHolders < HOLDERS_A_STATEMENT) return true;
      const isOurs = await last;
      write();
      return isOurs;
    },
    end() {
      if (waiting.length > 0) write();
      return last;
    },
  };
}

/**
 * Writes the pages after number `pages` of a synchronisation and moves it on, in one statement. False when it is not running
 * any more or another has written one of them: then nothing is written. Throws by the unique index for pages that came before.
 */
async function writePages(
  db: Db,
  { id, pages }: { id: string; pages: number },
  batch: readonly HolderPage[],
): Promise<boolean> {
  const holders = batch.flatMap((page) => page.holders);
  const marker = batch.at(-1)?.marker ?? null;
  const next = marker === null ? null : JSON.stringify(marker);
  const { rows } = await db.execute(sql`
    with moved as (
      update ${holderSyncs}
      set marker = ${next}::jsonb, pages = pages + ${batch.length}, holders = holders + ${holders.length}
      where id = ${id} and status = 'running' and pages = ${pages}
      returning id, pages),
    written as (
      insert into ${holderPages} (sync_id, page, accounts, balances)
      select id, pages, string_to_array(${holders.map(({ account }) => account).join(SEPARATOR)}, ${SEPARATOR}),
        string_to_array(${holders.map(({ balance }) => balance).join(SEPARATOR)}, ${SEPARATOR})::numeric[]
      from moved)
    select id from moved`);
  return rows.length === 1;
}

/**
 * How the reading ended: all pages are written; the time is over; the server has too much to do; it knows its place no more;
 * or another run has taken the synchronisation from us.
 */
type Reading = 'whole' | 'paused' | 'refused' | 'lost' | 'overtaken';

/**
 * Reads and writes the pages of a synchronisation, from `first` on where it is given, else from the marker of its row, until
 * the deadline; one page at least. The next page is on its way while the last ones are written, and all of them are written
 * when it ends, also by an error.
 */
async function readPages(
  ctx: Ctx,
  token: LedgerToken,
  { sync, first, deadlineMs }: { sync: Sync; first: HolderPage | null; deadlineMs: number },
): Promise<Reading> {
  if (first === null && sync.pages > 0 && sync.marker === null) return 'whole';
  const writer = pageWriter(ctx.db, sync);
  const read = (marker: unknown) => ctx.ledger.holderPage(token, sync, marker);
  let coming = first === null ? read(sync.marker) : Promise.resolve<HolderPage | null>(first);
  try {
    for (;;) {
      const page = await coming.catch(refusal);
      if (page === null || page === 'refused') return (await writer.end()) ? (page ?? 'lost') : 'overtaken';
      const goesOn = page.marker !== null && ctx.clock.nowMs() < deadlineMs;
      if (goesOn) {
        coming = read(page.marker);
        // Should the writing fail first, this failure is not reported.
        coming.catch(() => undefined);
      }
      if (!(await writer.take(page))) return 'overtaken';
      if (!goesOn) return (await writer.end()) ? (page.marker === null ? 'whole' : 'paused') : 'overtaken';
    }
  } catch (error) {
    // The next slice begins at the place that is written: no statement of this one may come after.
    await writer.end().catch(() => undefined);
    throw error;
  }
}

function refusal(error: unknown): 'refused' {
  if (error instanceof PlatformError && error.code === 'ledger_unavailable') return 'refused';
  throw error;
}

/** How often one run begins a token anew: a server that loses its place more often will lose it again. */
export const MOST_RESTARTS = 5;

interface SyncTask {
  wanted: TrackedToken;
  /** The synchronisation to go on with; null begins one. */
  resume: string | null;
  /** How often this run has begun the token anew. */
  restarts: number;
  deadlineMs: number;
}

interface Synced {
  sync: Sync;
  restarts: number;
  /** The ledger has too much to do: the rest is for later. */
  later: boolean;
}

/**
 * Brings the synchronisation of one token on until it is complete or the deadline has passed; `sync.status` tells which.
 * When its place is lost (the marker has expired, the server is gone) it begins anew in the newest ledger. Throws
 * `service_unavailable` when that happens too often, `conflict` when another run has taken it over.
 */
export async function syncToken(ctx: Ctx, { wanted, resume, restarts, deadlineMs }: SyncTask): Promise<Synced> {
  const { token } = wanted;
  let { sync, first } = (await resumed(ctx, tokenName(token), resume)) ?? (await begun(ctx, wanted));
  for (let again = restarts; ; again += 1) {
    const reading = await readPages(ctx, token, { sync, first, deadlineMs });
    if (reading === 'paused') return { sync: await current(ctx, sync), restarts: again, later: false };
    if (reading === 'whole') {
      const done = await finishSync(ctx, token, sync);
      if (done !== null) return { sync: done, restarts: again, later: false };
    }
    if (reading === 'whole' || reading === 'overtaken') {
      throw new PlatformError('conflict', `Another run has taken over the holders of ${sync.token}.`);
    }
    ctx.log.warn(
      { token: sync.token, server: sync.server, ledger: sync.ledgerIndex, reading },
      'holders were not read',
    );
    if (again >= MOST_RESTARTS) {
      throw new PlatformError(
        'service_unavailable',
        'The ledger servers broke off too often before all holders were read.',
      );
    }
    if (reading === 'refused') return { sync: await current(ctx, sync), restarts: again + 1, later: true };
    ({ sync, first } = await begun(ctx, wanted));
  }
}

type Position = { sync: Sync; first: HolderPage | null };

async function begun(ctx: Ctx, { token }: TrackedToken): Promise<Position> {
  const opened = await ctx.ledger.openHolders(token);
  return { sync: await startSync(ctx, token, opened), first: opened.first };
}

async function resumed(ctx: Ctx, token: string, id: string | null): Promise<Position | null> {
  if (id === null) return null;
  const [sync] = await ctx.db
    .select()
    .from(holderSyncs)
    .where(and(eq(holderSyncs.id, id), eq(holderSyncs.token, token), eq(holderSyncs.status, 'running')));
  return sync === undefined ? null : { sync, first: null };
}

async function current(ctx: Ctx, { id }: Sync): Promise<Sync> {
  const [sync] = await ctx.db.select().from(holderSyncs).where(eq(holderSyncs.id, id));
  if (sync === undefined) throw new Error('A synchronisation has vanished');
  return sync;
}

/** A synchronisation as its cron answers it. */
export const toReport = (sync: Sync): SyncReport => ({
  sync_id: sync.id,
  token: sync.token,
  status: sync.status === 'complete' ? 'complete' : 'running',
  ledger_index: sync.ledgerIndex,
  holders: sync.holders,
  added: sync.added,
  removed: sync.removed,
  pages: sync.pages,
});

/** A token whose synchronisation could not be begun, or failed and will begin anew in a later run. */
export const failedReport = (token: string): SyncReport => ({
  sync_id: null,
  token,
  status: 'failed',
  ledger_index: null,
  holders: 0,
  added: null,
  removed: null,
  pages: 0,
});
