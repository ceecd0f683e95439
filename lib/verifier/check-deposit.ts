import { checkDecisions } from './check-decisions.ts';
import { mayCompareBeside } from './check-payouts.ts';
import { checkSent } from './check-sent.ts';
import { comparePayouts } from './compare-payouts.ts';
import { feedPages } from './feed-pages.ts';
import { checkLeftOtherwise, noteArrivedOtherwise } from './left-otherwise.ts';
import type { OtherRows } from './other-sales.ts';
import { beginPayoutsAnew, NO_CURSORS } from './progress.ts';
import type { AllocationRow, PublishedPayment, PublishedPayout } from './published.ts';
import { type LoadedLists, putLists, withoutLists } from './put-lists.ts';
import type { FeedPage } from './read-feed.ts';
import { reduceSteps } from './reduce-steps.ts';
import type { Rows } from './rows.ts';
import { saleSteps } from './sale-entries.ts';
import { stateOf } from './sale-state.ts';
import type { Work } from './work.ts';

/** What is published of a sale, row by row. */
export interface Published {
  payments: Rows<PublishedPayment>;
  allocations: Rows<AllocationRow>;
  payouts: Rows<PublishedPayout>;
  paidByDeposit: Rows<PublishedPayout>;
  othersPaidByDeposit: OtherRows[];
  /** Rows of `payments` taken since the last page. */
  taken: PublishedPayment[];
}

/**
 * Runs the deposit account's feed through the rule book and compares every decision, allocation and payment out of the
 * account, and where that can be told already what is owed; gives after each page, which is then counted. What is kept of
 * a page does not grow with the sale.
 */
export async function* checkDeposit(work: Work, published: Published): AsyncGenerator<void> {
  const { source, ledger, inputs, progress } = work;
  const { target } = inputs;
  const account = inputs.account.address;
  const lists: LoadedLists = new Map();
  const { othersPaidByDeposit: others } = published;
  for await (const page of feedPages(ledger, account, progress.deposit, progress.through)) {
    const steps = saleSteps(inputs, progress, page.entries);
    const moves = steps.flatMap(({ entry }) => (entry.kind === 'move' ? [entry] : []));
    const before = await putLists(source, inputs, progress, lists, moves);
    const atEnd = page.readThrough === progress.asOf;
    const { state, decisions } = reduceSteps(before, steps, atEnd ? progress.asOfClosedAtMs : null);
    await checkDecisions(inputs, progress, published, decisions);
    const rows = published.paidByDeposit;
    noteArrivedOtherwise(progress, page.entries);
    await checkSent({ account, terms: target, rows, others, progress }, page.entries, page.readThrough);
    checkLeftOtherwise(inputs, progress, page.entries);
    progress.sale = withoutLists(state);
    await checkPayoutsBeside(work, published);
    keepPlace(work, published, page);
    yield;
  }
}

async function checkPayoutsBeside({ inputs, progress }: Work, published: Published): Promise<void> {
  const payments = published.taken.splice(0);
  if (!progress.payoutsBeside) return;
  if (!mayCompareBeside(inputs, progress)) {
    // They are compared from the first one on, once the end is known.
    beginPayoutsAnew(progress);
    return;
  }
  const stream = { inputs, progress, payouts: published.payouts, explainer: null };
  for (const payment of payments) await comparePayouts(stream, payment, stateOf(inputs.target, progress));
}

function keepPlace({ progress }: Work, published: Published, page: FeedPage): void {
  const { counts } = progress.findings;
  counts.ledgers += page.readThrough - progress.deposit.afterLedger;
  counts.entries += page.entries.length;
  progress.deposit = { afterLedger: page.readThrough, afterHash: page.readThroughHash };
  progress.cursors = {
    ...progress.cursors,
    payments: published.payments.cursor,
    allocations: published.allocations.cursor,
    payouts: progress.payoutsBeside ? published.payouts.cursor : NO_CURSORS.payouts,
    paidByDeposit: published.paidByDeposit.cursor,
  };
}
