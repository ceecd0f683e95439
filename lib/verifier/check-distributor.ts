import { checkSent } from './check-sent.ts';
import type { OtherRows } from './other-sales.ts';
import type { PublishedPayout } from './published.ts';
import type { FeedPage } from './read-feed.ts';
import type { Rows } from './rows.ts';
import type { Work } from './work.ts';

/** Compares what the distributor has paid on the ledger with the published payouts; gives after each page. */
export async function* checkDistributor(
  { inputs, progress }: Work,
  pages: AsyncIterable<FeedPage>,
  rows: Rows<PublishedPayout>,
  others: OtherRows[],
): AsyncGenerator<void> {
  const { target } = inputs;
  const account = target.terms.distributor;
  for await (const page of pages) {
    await checkSent({ account, terms: target, rows, others, progress }, page.entries, page.readThrough);
    progress.findings.counts.entries += page.entries.length;
    progress.distributor = { afterLedger: page.readThrough, afterHash: page.readThroughHash };
    progress.cursors = { ...progress.cursors, paidByDistributor: rows.cursor };
    yield;
  }
}
