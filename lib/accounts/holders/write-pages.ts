import { sql } from 'drizzle-orm';
import { holderPages, holderSyncs } from '#drizzle/schema/holders.ts';
import type { Db } from '#lib/base/db.ts';
import type { HolderPage } from '#lib/xrpl/types.ts';

/**
 * So many holders are written at once, some pages together: a statement costs more than its rows. Until then they wait in
 * memory, and as many again while a statement is under way. Nothing is lost by that: who is killed begins anew all the same.
 */
const HOLDERS_A_STATEMENT = 3_000;

/** Stands in no address and in no number. */
const SEPARATOR = ' ';

export interface PageWriter {
  /** Takes the next page; waits only while two statements' holders are waiting. False once the synchronisation is another's. */
  take(page: HolderPage): Promise<boolean>;
  /** Settles when all that was taken is written. False when the synchronisation is another's: then the rest is not written. */
  end(): Promise<boolean>;
}

/** Writes a synchronisation's pages in their order, from its page number `pages` on, while the next ones are read. */
export function pageWriter(db: Db, { id, pages }: { id: string; pages: number }): PageWriter {
  let waiting: HolderPage[] = [];
  let waitingHolders = 0;
  let written = pages;
  let last = Promise.resolve(true);
  const write = (): void => {
    const batch = waiting;
    [waiting, waitingHolders] = [[], 0];
    last = last.then(async (isOurs) => {
      const place = { id, pages: written };
      written += batch.length;
      return isOurs && writePages(db, place, batch);
    });
    // Whoever waits for it is told.
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
