import { eq } from 'drizzle-orm';
import { projects } from '#drizzle/schema/sale.ts';
import type { Ctx } from '#lib/ctx.ts';
import { appendEvents } from '#lib/events/append.ts';
import type { FeedEntry } from '#lib/ledger/types.ts';
import { env } from '#lib/platform/env.ts';
import type { SaleMove, SalePayment } from '../rules/types.ts';
import { serversDisagree } from './alerts.ts';
import { decodeMove } from './move-memo.ts';
import { loadPending } from './pending.ts';

/** As many as one transaction decides. */
const MAX_ENTRIES = 2_000;
/** Servers that must say the same, where there is a choice. */
const QUORUM = 2;

type Decisive = SalePayment | SaleMove;

/** What decides about an entry: two servers that differ in any of it do not report the same. */
const decisive = (entry: Decisive): string =>
  entry.kind === 'payment'
    ? [
        entry.hash,
        entry.transactionIndex,
        entry.closedAtMs,
        entry.sender,
        entry.destinationTag,
        entry.receivedDrops,
      ].join()
    : [entry.hash, entry.transactionIndex, entry.closedAtMs, 'move'].join();

/** The entries of a server's answer that decide something, as the books would hold them. */
const recordable = (entries: readonly FeedEntry[], projectIds: ReadonlySet<string>) =>
  entries.flatMap((entry): Decisive[] => {
    if (entry.kind === 'payment') {
      const { deliveredDrops, sourceTag: _, ...rest } = entry;
      return [{ ...rest, receivedDrops: deliveredDrops }];
    }
    const move = entry.kind === 'self' ? decodeMove(entry) : null;
    return move === null || !projectIds.has(move.projectId) ? [] : [move];
  });

const byLedger = (entries: readonly Decisive[]): Map<number, string> =>
  new Map(
    [...Map.groupBy(entries, (entry) => entry.ledgerIndex)].map(([ledger, group]) => [
      ledger,
      group.map(decisive).sort().join('\n'),
    ]),
  );

/** The first ledger after `afterLedger` and up to `throughLedger` of which the two say different things; null when none. */
function firstDifference(
  books: ReadonlyMap<number, string>,
  answer: ReadonlyMap<number, string>,
  throughLedger: number,
): number | null {
  const ledgers = [...new Set([...books.keys(), ...answer.keys()])].filter((ledger) => ledger <= throughLedger);
  const differing = ledgers.filter((ledger) => books.get(ledger) !== answer.get(ledger));
  return differing.length === 0 ? null : Math.min(...differing);
}

/**
 * The last ledger up to which what is recorded, and nothing else, is what two servers report (design section 4,
 * "Confirming"): a single server that lies, lags or loses transactions decides nothing. With one server configured it is
 * `throughLedger`. A difference raises an alert; confirmation waits there until `process-transactions` or the servers
 * mend it.
 */
export async function agreedThrough(
  ctx: Ctx,
  { account, afterLedger, throughLedger }: { account: string; afterLedger: number; throughLedger: number },
): Promise<number> {
  if (env().XRPL_URLS.length < QUORUM) return throughLedger;
  const answers = await ctx.ledger.readFeedEverywhere({
    account,
    afterLedger,
    afterHash: null,
    throughLedger,
    maxEntries: MAX_ENTRIES,
  });
  const reached = Math.max(afterLedger, ...answers.map((answer) => answer.readThrough));
  const [{ entries }, ours] = await Promise.all([
    loadPending(ctx.db, account, reached, Number.MAX_SAFE_INTEGER - 1),
    ctx.db.select({ id: projects.id }).from(projects).where(eq(projects.depositAddress, account)),
  ]);
  const projectIds = new Set(ours.map(({ id }) => id));
  const books = byLedger(entries);
  const agreements = answers.map((answer) => {
    const difference = firstDifference(books, byLedger(recordable(answer.entries, projectIds)), answer.readThrough);
    return { difference, through: difference === null ? answer.readThrough : difference - 1 };
  });
  const [first] = agreements
    .flatMap(({ difference }) => (difference === null ? [] : [difference]))
    .sort((a, b) => a - b);
  if (first !== undefined) {
    const alert = serversDisagree({ account, ledgerIndex: first }, ctx.clock.nowMs());
    ctx.log.error({ kind: alert.data.kind, details: alert.data.details }, alert.data.message);
    await appendEvents(ctx.db, [alert]);
  }
  const through = agreements.map((agreement) => agreement.through).sort((a, b) => b - a)[QUORUM - 1];
  return Math.min(throughLedger, Math.max(afterLedger, through ?? afterLedger));
}
