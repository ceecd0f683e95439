import { checkDecisions } from './check-decisions.ts';
import { checkSent } from './check-sent.ts';
import { endComparison } from './compare-rows.ts';
import { openRows } from './cursors.ts';
import { feedPages } from './feed-pages.ts';
import { addDifference } from './findings.ts';
import type { Inputs } from './inputs.ts';
import type { Progress } from './progress.ts';
import { type LoadedLists, putLists, withoutLists } from './put-lists.ts';
import { reduceSteps } from './reduce-steps.ts';
import { saleSteps } from './sale-entries.ts';
import type { LedgerSource, PublishedSource } from './types.ts';

export interface Work {
  source: PublishedSource;
  ledger: LedgerSource;
  inputs: Inputs;
  progress: Progress;
  /** Called after every page; false stops there. */
  pageDone: () => Promise<boolean>;
}

/**
 * Runs the deposit account's feed through the rule book and compares every decision, allocation and payment out of the
 * account, page by page; what is kept of a page does not grow with the sale. True when the feed's end was reached.
 */
export async function checkFeed({ source, ledger, inputs, progress, pageDone }: Work): Promise<boolean> {
  const { target } = inputs;
  const account = inputs.account.address;
  const open = openRows(source, target.projectId, progress);
  const published = { payments: open.payments(), allocations: open.allocations() };
  const paid = open.paid(account);
  const lists: LoadedLists = new Map();
  try {
    for await (const page of feedPages(ledger, account, progress, progress.through)) {
      const steps = saleSteps(inputs, progress, page.entries);
      const moves = steps.flatMap(({ entry }) => (entry.kind === 'move' ? [entry] : []));
      const before = await putLists(source, inputs, progress, lists, moves);
      const atEnd = page.readThrough === progress.asOf;
      const { state, decisions } = reduceSteps(before, steps, atEnd ? progress.asOfClosedAtMs : null);
      await checkDecisions(inputs, progress, published, decisions);
      await checkSent({ account, terms: target, rows: paid, progress }, page.entries, page.readThrough);
      progress.sale = withoutLists(state);
      const { counts } = progress.findings;
      counts.ledgers += page.readThrough - progress.afterLedger;
      counts.entries += page.entries.length;
      progress.afterLedger = page.readThrough;
      progress.afterHash = page.readThroughHash;
      progress.cursors = {
        ...progress.cursors,
        payments: published.payments.cursor,
        allocations: published.allocations.cursor,
        paid: paid.cursor,
      };
      if (!(await pageDone()) && page.readThrough < progress.through) return false;
    }
    if (progress.through === progress.asOf) {
      await endComparison(published.payments, published.allocations, progress.findings);
      missingExceptions(inputs, progress);
    }
    return true;
  } finally {
    await Promise.all([published.payments.close(), published.allocations.close(), paid.close()]);
  }
}

function missingExceptions({ assigns }: Inputs, { assignsSeen, findings }: Progress): void {
  for (const hash of assigns) {
    if (assignsSeen.has(hash)) continue;
    addDifference(findings, {
      kind: 'exception_not_on_ledger',
      subject: hash,
      found: hash,
      message: `${hash}: is published as an assign, and has no such effect on the ledger`,
    });
  }
}
