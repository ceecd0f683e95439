import type { Work } from './check-feed.ts';
import { checkSent } from './check-sent.ts';
import { openRows } from './cursors.ts';
import { feedPages } from './feed-pages.ts';

/** Compares what the distributor has paid on the ledger with the published payouts. True when its feed's end was reached. */
export async function checkDistributor({ source, ledger, inputs, progress, pageDone }: Work): Promise<boolean> {
  const { target } = inputs;
  const account = target.terms.distributor;
  const rows = openRows(source, target.projectId, progress).paid(account);
  try {
    for await (const page of feedPages(ledger, account, progress, progress.through)) {
      await checkSent({ account, terms: target, rows, progress }, page.entries, page.readThrough);
      progress.findings.counts.entries += page.entries.length;
      progress.afterLedger = page.readThrough;
      progress.afterHash = page.readThroughHash;
      progress.cursors = { ...progress.cursors, paid: rows.cursor };
      if (!(await pageDone()) && page.readThrough < progress.through) return false;
    }
    return true;
  } finally {
    await rows.close();
  }
}
