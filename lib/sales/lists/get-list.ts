import { createHash } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import { listEntries } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';
import { formatDrops } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { Entry } from './add-entries.ts';
import { findList, listNotFound } from './list-lists.ts';

/** The published form of a version with its SHA-256. A draft is not published. Throws `not_found`. */
export async function getList(
  ctx: Ctx,
  input: { projectId: string; listId: string },
): Promise<{ hash: string; lines: AsyncIterable<string> }> {
  const list = await findList(ctx.db, input.projectId, input.listId);
  if (list.hash === null) throw listNotFound();
  return { hash: list.hash, lines: entryLines(ctx.db, list.id) };
}

const PAGE_ROWS = 10_000;

const lineOf = ({ walletAddress, capDrops }: Entry): string =>
  `${JSON.stringify({ wallet_address: walletAddress, cap_xrp: capDrops === null ? null : formatDrops(capDrops) })}\n`;

/**
 * The published form of a version: JSON Lines, one wallet a line, sorted by address byte by byte, in whatever order the
 * database sorts text in. One chunk a page of rows, each read when it is asked for: no snapshot is held for a slow reader.
 */
export async function* entryLines(db: Db, listId: string): AsyncGenerator<string> {
  const inBytes = sql`${listEntries.walletAddress} collate "C"`;
  let last = '';
  for (;;) {
    const page: Entry[] = await db
      .select({ walletAddress: listEntries.walletAddress, capDrops: listEntries.capDrops })
      .from(listEntries)
      .where(and(eq(listEntries.listId, listId), sql`${inBytes} > ${last}`))
      .orderBy(inBytes)
      .limit(PAGE_ROWS);
    if (page.length > 0) yield page.map(lineOf).join('');
    if (page.length < PAGE_ROWS) return;
    last = page.at(-1)?.walletAddress ?? last;
  }
}

/** Lower-case hex SHA-256 of the published form: what a `list` action anchors. */
export async function hashEntries(db: Db, listId: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const lines of entryLines(db, listId)) hash.update(lines);
  return hash.digest('hex');
}
