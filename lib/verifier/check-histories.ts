import type { CredentialQuestion } from '@tranche/rules/credentials.ts';
import { watchCustody } from './check-custody.ts';
import { checkDecisions, endComparison } from './check-decisions.ts';
import { comparePayouts, endPayouts, mayCompareEarly } from './check-payouts.ts';
import { checkSent, closeOthers, type OtherSaleRows, openOthers } from './check-sent.ts';
import { isLedgerUnavailable, ledgerUnavailable } from './errors.ts';
import { addDifference } from './findings.ts';
import { feedBegins, type Inputs } from './inputs.ts';
import { checkListsInForce, type LoadedLists, putLists, withoutInputs } from './lists.ts';
import { checkOtherOutflows, recordOtherArrival } from './other-transfers.ts';
import {
  type HistoryPosition,
  NO_CURSORS,
  type Progress,
  restartPayouts,
  stateOf,
  type VerificationWork,
} from './progress.ts';
import type { PublishedAllocation, PublishedPayment, PublishedPayout } from './published.ts';
import { putCredentials } from './put-credentials.ts';
import type { FeedPage } from './read-feed.ts';
import { reduceSteps, saleSteps } from './reduce-steps.ts';
import { hashChained, openRows, type Rows } from './rows.ts';
import type { LedgerSource } from './types.ts';

const SILENT = 'the ledger server holds these ledgers, and does not answer for them';

interface History {
  account: string;
  afterLedger: () => number;
  pages: AsyncGenerator<void>;
}

/**
 * Reads the histories of the deposit account and of the distributor side by side, a page of each in turn, so that neither
 * the ledger server nor the platform is waited for while there is something to do. True when both were read to their ends.
 */
export async function checkHistories(work: VerificationWork): Promise<boolean> {
  const { source, inputs, progress } = work;
  const { distributor } = inputs.target.terms;
  const taken: Published['taken'] = [];
  const open = openRows(source, inputs.target.projectId, progress, (row) => {
    progress.paymentsRead = hashChained(progress.paymentsRead, row);
    taken.push(row);
  });
  const published: Published = {
    payments: open.payments(),
    allocations: open.allocations(),
    payouts: open.payouts(),
    paidByDeposit: open.paid(inputs.account.address, progress.cursors.paidByDeposit),
    othersPaidByDeposit: openOthers(work, inputs.account.address, progress.deposit.afterLedger),
    taken,
  };
  const othersPaidByDistributor: OtherSaleRows[] = [];
  const distributed = open.paid(distributor, progress.cursors.paidByDistributor);
  const histories: History[] = [
    {
      account: inputs.account.address,
      afterLedger: () => progress.deposit.afterLedger,
      pages: checkDeposit(work, published),
    },
  ];
  let waiting = distributor !== inputs.account.address;
  const pagesFrom = (from: HistoryPosition) => feedPages(work.ledger, distributor, from, progress.through);
  // The first page is there when the ledger has shown where the launch is, if that is where it is said to be.
  const said = inputs.anchors.get(inputs.target.projectId)?.ledger_index ?? progress.through;
  const likely = distributorFrom(inputs, progress, said);
  const ahead = waiting ? { afterLedger: likely.afterLedger, pages: pagesFrom(likely) } : null;
  const { payments, allocations, payouts, paidByDeposit } = published;
  for (const rows of [payments, allocations, paidByDeposit]) rows.begin();
  if (progress.payoutsEarly) payouts.begin();
  if (waiting) distributed.begin();
  try {
    while (histories.length > 0) {
      for (const history of [...histories]) {
        const goesOn = await asFarAsHeld(progress, history);
        if (!goesOn) histories.splice(histories.indexOf(history), 1);
        else if (!(await work.pageDone())) return false;
      }
      if (!waiting || progress.launch === null) continue;
      waiting = false;
      const from = distributorFrom(inputs, progress, progress.launch.ledger_index);
      const pages = from.afterLedger === ahead?.afterLedger ? ahead.pages : pagesFrom(from);
      othersPaidByDistributor.push(...openOthers(work, distributor, from.afterLedger));
      histories.push({
        account: distributor,
        afterLedger: () => (progress.distributor ?? from).afterLedger,
        pages: checkDistributor(work, pages, distributed, othersPaidByDistributor, () =>
          histories.some(({ account }) => account === inputs.account.address),
        ),
      });
    }
    if (progress.through === progress.asOf) await endHistories(work, published);
    return true;
  } finally {
    await Promise.all([payments, allocations, payouts, paidByDeposit, distributed].map((rows) => rows.close()));
    await closeOthers([...published.othersPaidByDeposit, ...othersPaidByDistributor]);
  }
}

/** Where the distributor's history is to be read from: nothing is distributed before the launch. */
const distributorFrom = (inputs: Inputs, { distributor }: Progress, launchLedger: number): HistoryPosition =>
  distributor ?? { afterLedger: Math.max(feedBegins(inputs), launchLedger - 1), afterHash: null };

/**
 * Takes the next page of a history; false at its end. Most servers do not answer for what lies before their last gap, though
 * they hold it: then it could not be checked either.
 */
async function asFarAsHeld(progress: Progress, { account, afterLedger, pages }: History): Promise<boolean> {
  try {
    return (await pages.next()).done !== true;
  } catch (error) {
    const isSilent = isLedgerUnavailable(error);
    if (!isSilent || progress.through === progress.asOf) throw error;
    const { unchecked } = progress.findings;
    // A process that was stopped meanwhile finds it a second time.
    if (unchecked.some((each) => each.account === account && each.reason === SILENT)) return false;
    unchecked.push({ account, from_ledger: afterLedger() + 1, through_ledger: progress.through, reason: SILENT });
    return false;
  }
}

async function endHistories({ inputs, progress }: VerificationWork, published: Published): Promise<void> {
  const { payouts, payments, allocations, taken } = published;
  await endComparison(payments, allocations, progress.findings);
  missingExceptions(inputs, progress);
  notLaunched(inputs, progress);
  if (!progress.payoutsEarly) return;
  const stream = { inputs, progress, payouts, explainer: null };
  const final = stateOf(inputs.target, progress);
  for (const payment of taken.splice(0)) await comparePayouts(stream, payment, final);
  await endPayouts(stream, final);
}

function missingExceptions({ assigns }: Inputs, { asOf, assignsFound, findings }: Progress): void {
  for (const [hash, ledgerIndex] of assigns) {
    if (ledgerIndex > asOf || assignsFound.has(hash)) continue;
    addDifference(findings, {
      kind: 'exception_not_on_ledger',
      subject: hash,
      found: hash,
      message: `${hash}: is published as an assign, and has no such effect on the ledger`,
    });
  }
}

function notLaunched({ target, anchors }: Inputs, progress: Progress): void {
  const said = anchors.get(target.projectId) ?? null;
  if (progress.launch !== null || said === null || said.ledger_index > progress.asOf) return;
  addDifference(progress.findings, {
    kind: 'anchor_differs',
    subject: target.projectId,
    ledger_index: said.ledger_index,
    found: said.transaction_hash,
    message: `${target.projectId}: ${said.transaction_hash} is published as its launch, and has no such effect on the ledger`,
  });
}

/** What is published of a sale, row by row. */
interface Published {
  payments: Rows<PublishedPayment>;
  allocations: Rows<PublishedAllocation>;
  payouts: Rows<PublishedPayout>;
  paidByDeposit: Rows<PublishedPayout>;
  othersPaidByDeposit: OtherSaleRows[];
  /** Rows of `payments` taken since the last page. */
  taken: PublishedPayment[];
}

/**
 * Runs the deposit account's feed through the rule book and compares every decision, allocation and payment out of the
 * account, and where that can be told already what is owed; gives after each page, which is then counted. What is kept of
 * a page does not grow with the sale.
 */
async function* checkDeposit(work: VerificationWork, published: Published): AsyncGenerator<void> {
  const { source, ledger, inputs, progress } = work;
  const account = inputs.account.address;
  const lists: LoadedLists = new Map();
  const { othersPaidByDeposit: others } = published;
  for await (const read of feedPages(ledger, account, progress.deposit, progress.through)) {
    const given = saleSteps(inputs, progress, read.entries);
    const actions = given.flatMap(({ entry }) => (entry.kind === 'action' ? [entry] : []));
    const withLists = await putLists(source, inputs, progress, lists, actions);
    const closedAtMs = read.readThrough === progress.asOf ? progress.asOfClosedAtMs : null;
    const { state: before, steps, unknown } = await putCredentials(ledger, withLists, given, closedAtMs);
    if (unknown !== null) credentialUnknown(account, progress, unknown);
    const page = unknown === null ? read : upTo(read, unknown.ledgerIndex);
    const { state, decisions } = reduceSteps(before, steps, unknown === null ? closedAtMs : null);
    progress.sale = withoutInputs(state);
    checkListsInForce(inputs, progress, decisions);
    await checkDecisions(inputs, progress, published, decisions);
    const rows = published.paidByDeposit;
    recordOtherArrival(progress, page.entries);
    const purposes = watchCustody(inputs, progress, account, page.entries);
    await checkSent({ account, inputs, rows, others, progress, purposes }, page.entries, page.readThrough);
    checkOtherOutflows(inputs, progress, page.entries);
    await checkPayoutsEarly(work, published);
    savePosition(work, published, page);
    yield;
    if (unknown !== null) return;
  }
}

/** What follows from a credential that the server does not tell is not decided, nor anything after it. */
function credentialUnknown(account: string, progress: Progress, { subject, ledgerIndex }: CredentialQuestion): void {
  progress.through = ledgerIndex;
  progress.findings.unchecked.push({
    account,
    from_ledger: ledgerIndex + 1,
    through_ledger: progress.asOf,
    reason: `what was decided from here on follows from the credentials of ${subject} in ledger ${ledgerIndex}, which the ledger server does not tell`,
  });
}

const upTo = ({ entries }: FeedPage, ledgerIndex: number): FeedPage => ({
  entries: entries.filter((entry) => entry.ledgerIndex <= ledgerIndex),
  readThrough: ledgerIndex,
  readThroughHash: '',
});

async function checkPayoutsEarly({ inputs, progress }: VerificationWork, published: Published): Promise<void> {
  const payments = published.taken.splice(0);
  if (!progress.payoutsEarly) return;
  if (!mayCompareEarly(inputs, progress)) {
    // They are compared from the first one on, once the end is known.
    restartPayouts(progress);
    return;
  }
  const stream = { inputs, progress, payouts: published.payouts, explainer: null };
  for (const payment of payments) await comparePayouts(stream, payment, stateOf(inputs.target, progress));
}

function savePosition({ progress }: VerificationWork, published: Published, page: FeedPage): void {
  const { counts } = progress.findings;
  counts.ledgers += page.readThrough - progress.deposit.afterLedger;
  counts.entries += page.entries.length;
  progress.deposit = { afterLedger: page.readThrough, afterHash: page.readThroughHash };
  progress.cursors = {
    ...progress.cursors,
    payments: published.payments.cursor,
    allocations: published.allocations.cursor,
    payouts: progress.payoutsEarly ? published.payouts.cursor : NO_CURSORS.payouts,
    paidByDeposit: published.paidByDeposit.cursor,
  };
}

/** Compares what the distributor has paid on the ledger with the published payouts; gives after each page. */
async function* checkDistributor(
  { inputs, progress }: VerificationWork,
  pages: AsyncIterable<FeedPage>,
  rows: Rows<PublishedPayout>,
  others: OtherSaleRows[],
  readsDeposit: () => boolean,
): AsyncGenerator<void> {
  const { distributor: account, custody } = inputs.target.terms;
  for await (const page of pages) {
    // What a ticket must be for follows from the payment's own place, and an assignment of it is decided in another.
    while (custody !== undefined && progress.deposit.afterLedger < page.readThrough) {
      if (!readsDeposit()) throw ledgerUnavailable(`The deposit account is not read up to ledger ${page.readThrough}`);
      yield;
    }
    const purposes = watchCustody(inputs, progress, account, page.entries);
    await checkSent({ account, inputs, rows, others, progress, purposes }, page.entries, page.readThrough);
    progress.findings.counts.entries += page.entries.length;
    progress.distributor = { afterLedger: page.readThrough, afterHash: page.readThroughHash };
    progress.cursors = { ...progress.cursors, paidByDistributor: rows.cursor };
    yield;
  }
}

/** Entries asked for at once; whole ledgers only. */
const MAX_ENTRIES = 3_000;

/**
 * An account's feed after a place and up to `through`, page by page, each read while the one before it is looked at, the
 * first from now on. Throws `ledger_unavailable` when the server does not go on.
 */
function feedPages(
  ledger: LedgerSource,
  account: string,
  from: HistoryPosition,
  through: number,
): AsyncGenerator<FeedPage> {
  const read = ({ afterLedger, afterHash }: HistoryPosition): Promise<FeedPage> | null => {
    if (afterLedger >= through) return null;
    const page = ledger.readFeed({ account, afterLedger, afterHash, throughLedger: through, maxEntries: MAX_ENTRIES });
    // Its error is thrown where it is waited for, if it is.
    page.catch(() => undefined);
    return page;
  };
  return pagesFrom(read, from.afterLedger, read(from));
}

async function* pagesFrom(
  read: (from: HistoryPosition) => Promise<FeedPage> | null,
  after: number,
  first: Promise<FeedPage> | null,
): AsyncGenerator<FeedPage> {
  let reached = after;
  for (let coming = first; coming !== null; ) {
    const page: FeedPage = await coming;
    if (page.readThrough <= reached)
      throw ledgerUnavailable(`The ledger server does not go on after ledger ${reached}`);
    reached = page.readThrough;
    coming = read({ afterLedger: reached, afterHash: page.readThroughHash });
    yield page;
  }
}
