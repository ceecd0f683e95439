import { checkDeposit, type Published } from './check-deposit.ts';
import { checkDistributor } from './check-distributor.ts';
import { comparePayouts, endPayouts } from './compare-payouts.ts';
import { endComparison } from './compare-rows.ts';
import { openRows } from './cursors.ts';
import { chained } from './digest.ts';
import { isLedgerUnavailable } from './errors.ts';
import { feedPages } from './feed-pages.ts';
import { addDifference } from './findings.ts';
import type { Inputs } from './inputs.ts';
import { closeOthers, type OtherRows, openOthers } from './other-sales.ts';
import type { HistoryPlace, Progress } from './progress.ts';
import { stateOf } from './sale-state.ts';
import type { Work } from './work.ts';

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
export async function checkHistories(work: Work): Promise<boolean> {
  const { source, inputs, progress } = work;
  const { distributor } = inputs.target.terms;
  const taken: Published['taken'] = [];
  const open = openRows(source, inputs.target.projectId, progress, (row) => {
    progress.paymentsRead = chained(progress.paymentsRead, row);
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
  const othersPaidByDistributor: OtherRows[] = [];
  const distributed = open.paid(distributor, progress.cursors.paidByDistributor);
  const histories: History[] = [
    {
      account: inputs.account.address,
      afterLedger: () => progress.deposit.afterLedger,
      pages: checkDeposit(work, published),
    },
  ];
  let waiting = distributor !== inputs.account.address;
  const pagesFrom = (from: HistoryPlace) => feedPages(work.ledger, distributor, from, progress.through);
  // The first page is there when the ledger has shown where the launch is, if that is where it is said to be.
  const said = inputs.anchors.get(inputs.target.projectId)?.ledger_index ?? progress.through;
  const likely = distributorFrom(inputs, progress, said);
  const ahead = waiting ? { afterLedger: likely.afterLedger, pages: pagesFrom(likely) } : null;
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
        pages: checkDistributor(work, pages, distributed, othersPaidByDistributor),
      });
    }
    if (progress.through === progress.asOf) await endHistories(work, published);
    return true;
  } finally {
    const { payments, allocations, payouts, paidByDeposit } = published;
    await Promise.all([payments, allocations, payouts, paidByDeposit, distributed].map((rows) => rows.close()));
    await closeOthers([...published.othersPaidByDeposit, ...othersPaidByDistributor]);
  }
}

/** Where the distributor's history is to be read from: nothing is distributed before the launch. */
const distributorFrom = ({ account }: Inputs, { distributor }: Progress, launchLedger: number): HistoryPlace =>
  distributor ?? { afterLedger: Math.max(account.registered_ledger, launchLedger - 1), afterHash: null };

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
    // Whoever was stopped meanwhile finds it a second time.
    if (unchecked.some((each) => each.account === account && each.reason === SILENT)) return false;
    unchecked.push({ account, from_ledger: afterLedger() + 1, through_ledger: progress.through, reason: SILENT });
    return false;
  }
}

async function endHistories({ inputs, progress }: Work, published: Published): Promise<void> {
  const { payouts, payments, allocations, taken } = published;
  await endComparison(payments, allocations, progress.findings);
  missingExceptions(inputs, progress);
  notLaunched(inputs, progress);
  if (!progress.payoutsBeside) return;
  const stream = { inputs, progress, payouts, explainer: null };
  const final = stateOf(inputs.target, progress);
  for (const payment of taken.splice(0)) await comparePayouts(stream, payment, final);
  await endPayouts(stream, final);
}

function missingExceptions({ assigns }: Inputs, { asOf, assignsSeen, findings }: Progress): void {
  for (const [hash, ledgerIndex] of assigns) {
    if (ledgerIndex > asOf || assignsSeen.has(hash)) continue;
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
