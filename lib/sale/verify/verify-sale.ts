import { PlatformError } from '#lib/platform/errors.ts';
import { parseDecimal, XRP_DECIMALS } from '#lib/platform/money.ts';
import type { SaleState } from '../rules/types.ts';
import { checkDistributor } from './check-distributor.ts';
import { checkFeed, type Work } from './check-feed.ts';
import { checkPayouts } from './check-payouts.ts';
import { checkTerms } from './check-terms.ts';
import { explainUnmatched } from './explain.ts';
import { addDifference } from './findings.ts';
import { type Inputs, loadInputs } from './inputs.ts';
import { missingLedgers } from './missing-ledgers.ts';
import { newProgress, type Phase, type Progress } from './progress.ts';
import { draftOf } from './terms.ts';
import type { LedgerSource, PublishedSource } from './types.ts';

export interface Verification {
  source: PublishedSource;
  ledger: LedgerSource;
  projectId: string;
  /** Last ledger looked at; null is the last one that the platform has confirmed. Fixed once there is progress. */
  asOf: number | null;
  /** Null to begin. */
  progress: Progress | null;
  /** Called after every page with what would go on from there; false stops. */
  pageDone: (progress: Progress) => Promise<boolean>;
}

/**
 * Verifies a sale by what is public alone (design section 4, "Proving"): the ledger's history through the rule book, page
 * by page, against everything that the platform publishes. It knows neither database nor network, only its two sources.
 * Gives its progress, whose phase is `done` when nothing is left, and what it was done with. Throws what the sources throw.
 */
export async function verifySale(asked: Verification): Promise<{ progress: Progress; inputs: Inputs }> {
  const { source, ledger, pageDone } = asked;
  const inputs = await loadInputs(source, asked.projectId);
  const progress = asked.progress ?? (await begin(asked, inputs));
  const work: Work = { source, ledger, inputs, progress, pageDone: () => pageDone(progress) };
  while (progress.phase !== 'done') {
    const finished = await PHASES[progress.phase](work);
    if (!finished) break;
    if (!(await pageDone(progress))) break;
  }
  return { progress, inputs };
}

async function begin({ ledger, asOf: asked }: Verification, inputs: Inputs): Promise<Progress> {
  const { account } = inputs;
  const asOf = asked ?? account.confirmed_ledger;
  if (asOf > account.confirmed_ledger || asOf <= account.registered_ledger) {
    throw new PlatformError(
      'invalid_request',
      `as_of must lie after ledger ${account.registered_ledger}, where the account's feed begins, and be at most ${account.confirmed_ledger}, the last confirmed one`,
    );
  }
  const from = account.registered_ledger;
  const missing = missingLedgers(await ledger.serverState(), from, asOf);
  const [firstGap] = missing;
  const through = firstGap === undefined ? asOf : Math.max(from, firstGap[0] - 1);
  const closedAtMs = firstGap === undefined ? await ledger.closedAtMs(asOf) : 0;
  const progress = newProgress(asOf, closedAtMs, { afterLedger: from, through }, draftState(inputs));
  const { findings } = progress;
  for (const [first, last] of missing) {
    findings.unchecked.push({
      account: account.address,
      from_ledger: first,
      through_ledger: last,
      reason: 'the ledger server does not hold these ledgers',
    });
  }
  if (through < asOf) {
    findings.unchecked.push({
      account: account.address,
      from_ledger: through === from ? from : through + 1,
      through_ledger: asOf,
      reason: 'what was decided from here on follows from ledgers that could not be read',
    });
  }
  checkTerms(inputs, findings);
  return progress;
}

const draftState = ({ terms, account }: Inputs): SaleState => ({
  projects: new Map([...terms.values()].map((each) => [each.terms.destination_tag, draftOf(each)])),
  held: new Map(),
  refundMinDrops: parseDecimal(account.refund_min_xrp, XRP_DECIMALS) ?? 0n,
});

/** Each does its part and names the next; false when it was stopped before. */
const PHASES: Record<Exclude<Phase, 'done'>, (work: Work) => Promise<boolean>> = {
  async feed(work) {
    const { progress, inputs } = work;
    if (!(await asFarAsHeld(work, inputs.account.address, checkFeed))) return false;
    if (progress.through === progress.asOf) notLaunched(work);
    progress.phase = progress.through === progress.asOf ? 'payouts' : 'distributor';
    progress.cursors = { payments: null, allocations: null, paid: null, payouts: null };
    // Nothing is distributed before the launch.
    progress.afterLedger = Math.max(inputs.account.registered_ledger, (progress.launch?.ledger_index ?? 0) - 1);
    progress.afterHash = null;
    return true;
  },
  async payouts(work) {
    const { progress, inputs } = work;
    if (!(await checkPayouts(work))) return false;
    progress.phase = 'distributor';
    if (progress.paymentsRead !== progress.paymentsReadAgain) answersDiffer(work, '/payments');
    progress.cursors = { payments: null, allocations: null, paid: null, payouts: null };
    if (inputs.target.terms.distributor === inputs.account.address) progress.phase = 'unexplained';
    return true;
  },
  async distributor(work) {
    const { progress, inputs } = work;
    const begins = progress.afterLedger < progress.through && progress.launch !== null;
    if (begins && !(await asFarAsHeld(work, inputs.target.terms.distributor, checkDistributor))) return false;
    progress.phase = progress.through === progress.asOf ? 'unexplained' : 'done';
    return true;
  },
  async unexplained(work) {
    const { progress } = work;
    if (progress.paidDigest !== progress.validatedDigest) answersDiffer(work, '/payouts');
    await explainUnmatched(work);
    progress.phase = 'done';
    return true;
  },
};

/**
 * Reads a feed before a gap in the server's history. Most servers do not answer for what lies before their last gap, though
 * they hold it: then it could not be checked either.
 */
async function asFarAsHeld(work: Work, account: string, read: (work: Work) => Promise<boolean>): Promise<boolean> {
  const { progress } = work;
  try {
    return await read(work);
  } catch (error) {
    const isSilent = error instanceof PlatformError && error.code === 'ledger_unavailable';
    if (!isSilent || progress.through === progress.asOf) throw error;
    progress.findings.unchecked.push({
      account,
      from_ledger: progress.afterLedger + 1,
      through_ledger: progress.through,
      reason: 'the ledger server holds these ledgers, and does not answer for them',
    });
    return true;
  }
}

function notLaunched({ inputs: { target, anchors }, progress }: Work): void {
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

const answersDiffer = ({ inputs: { target }, progress }: Work, path: string): void =>
  addDifference(progress.findings, {
    kind: 'answers_differ',
    subject: `${target.projectId}${path}`,
    message: `${path} of the same ledger was read twice, and the answers are not the same`,
  });
