import type { Drops } from '@tranche/rules/amounts.ts';
import type { ListResource } from '@tranche/verifier/published.ts';
import { eq, type SQL, sql } from 'drizzle-orm';
import { listEntries, lists } from '#drizzle/schema/sale.ts';
import { appendAudit } from '#lib/audit.ts';
import type { Tx } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import { draftList, MAX_ENTRIES } from './draft-list.ts';
import { loadListResource } from './list-resource.ts';

/**
 * Begins a new version with the wallets of a query (its column `wallet_address`: classic addresses, none twice), all with the
 * same cap or none. One transaction and one INSERT … SELECT: a draft that exists is whole. `confirm` looks, after the wallets
 * were read, whether the query still means what it did, and throws if not. `source` says in the audit log where they are
 * from. Throws what `draftList` throws, `limit_reached` beyond 100,000 wallets, `conflict` when there is none.
 */
export async function createListFrom(
  ctx: Ctx,
  input: {
    projectId: string;
    reason: string;
    wallets: SQL;
    capDrops: Drops | null;
    source: Record<string, unknown>;
    confirm: (tx: Tx) => Promise<void>;
  },
): Promise<ListResource> {
  return ctx.db.transaction(async (tx) => {
    const draft = await draftList(tx, ctx, input.projectId);
    const { rowCount } = await tx.execute(sql`
      insert into ${listEntries} (list_id, wallet_address, cap_drops)
      select ${draft.id}, w.wallet_address, ${input.capDrops}::bigint from (${input.wallets}) as w
      limit ${MAX_ENTRIES + 1}`);
    const entries = rowCount ?? 0;
    if (entries === 0) throw new PlatformError('conflict', 'No wallet qualifies: the list would be empty.');
    if (entries > MAX_ENTRIES) {
      throw new PlatformError('limit_reached', `An allowlist holds at most ${MAX_ENTRIES} wallets, and more qualify.`);
    }
    await input.confirm(tx);
    const [row] = await tx.update(lists).set({ entries }).where(eq(lists.id, draft.id)).returning();
    if (row === undefined) throw new Error('The draft was not returned');
    await appendAudit(tx, ctx, {
      action: 'list.create_from',
      subject: row.id,
      reason: input.reason,
      after: { project: row.projectId, version: row.version, entries, source: input.source },
    });
    return loadListResource(tx, row);
  });
}
