import { parseDecimal, XRP_DECIMALS } from '@tranche/rules/amounts.ts';
import { credentialTypeText } from '@tranche/rules/credentials.ts';
import type { SaleState } from '@tranche/rules/types.ts';
import canonicalize from 'canonicalize';
import { endCustody } from './check-custody.ts';
import { checkExceptions, publishedRefunds, refundsAgree } from './check-exceptions.ts';
import { checkHistories } from './check-histories.ts';
import { checkLocks } from './check-locks.ts';
import { checkPayouts } from './check-payouts.ts';
import { checkSaleLocks } from './check-sale-locks.ts';
import { ReadError } from './errors.ts';
import { explainUnmatchedPayments } from './explain.ts';
import { addDifference, addFindings, type Findings } from './findings.ts';
import { feedBegins, feedEnds, type Inputs, loadInputs } from './inputs.ts';
import {
  NO_CURSORS,
  newProgress,
  type Phase,
  type Progress,
  restartPayouts,
  type VerificationWork,
} from './progress.ts';
import type { ProjectResource } from './published.ts';
import { missingLedgers } from './read-feed.ts';
import { draftOf } from './terms.ts';
import type { LedgerSource, PublishedSource } from './types.ts';

export interface Verification {
  source: PublishedSource;
  ledger: LedgerSource;
  projectId: string;
  /**
   * Last ledger looked at; null is the last one that the platform has confirmed. After its custody period nothing is the
   * sale's: a later ledger is that period's last. Fixed once there is progress.
   */
  asOf: number | null;
  /** Null to begin. */
  progress: Progress | null;
  /** Called after every page with what would go on from there; false stops. */
  pageDone: (progress: Progress) => Promise<boolean>;
}

/**
 * Verifies a sale by what is public alone (docs/verification.md): the ledger's history through the rule book, page
 * by page, against everything that the platform publishes. It knows neither database nor network, only its two sources.
 * Gives its progress, whose phase is `done` when nothing is left, and what it was done with. Throws what the sources throw.
 */
export async function verifySale(asked: Verification): Promise<{ progress: Progress; inputs: Inputs }> {
  const { source, ledger, pageDone } = asked;
  const inputs = await loadInputs(source, asked.projectId);
  const progress = asked.progress ?? (await begin(asked, inputs));
  const work: VerificationWork = { source, ledger, inputs, progress, pageDone: () => pageDone(progress) };
  while (progress.phase !== 'done') {
    const finished = await PHASES[progress.phase](work);
    if (!finished) break;
    if (!(await pageDone(progress))) break;
  }
  return { progress, inputs };
}

async function begin({ ledger, asOf: asked }: Verification, inputs: Inputs): Promise<Progress> {
  const { account } = inputs;
  const from = feedBegins(inputs);
  const asOf = Math.min(asked ?? account.confirmed_ledger, feedEnds(inputs) ?? Number.POSITIVE_INFINITY);
  if (asOf > account.confirmed_ledger || asOf <= from) {
    throw new ReadError(
      'invalid_request',
      `as_of must lie after ledger ${from}, where the account's feed begins, and be at most ${account.confirmed_ledger}, the last confirmed one`,
    );
  }
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
const PHASES: Record<Exclude<Phase, 'done'>, (work: VerificationWork) => Promise<boolean>> = {
  async ledger(work) {
    const { inputs, progress } = work;
    if (!(await checkHistories(work))) return false;
    progress.cursors = NO_CURSORS;
    if (progress.through < progress.asOf) {
      addFindings(progress.findings, progress.payoutFindings);
      await endCustody(work);
      await checkLocks(work);
      await checkSaleLocks(work);
      progress.phase = 'done';
    } else if (progress.payoutsEarly && nothingOpen(inputs, progress)) {
      addFindings(progress.findings, progress.payoutFindings);
      progress.phase = 'unexplained';
    } else {
      if (progress.payoutsEarly) progress.firstPayoutFindings = progress.payoutFindings;
      restartPayouts(progress);
      progress.publishedRefunds = publishedRefunds(inputs, progress);
      progress.phase = 'payouts';
    }
    return true;
  },
  async payouts(work) {
    const { progress } = work;
    if (!(await checkPayouts(work))) return false;
    addFindings(progress.findings, worseOf(progress));
    progress.phase = 'unexplained';
    if (progress.paidDigest !== progress.validatedDigest) answersDiffer(work, '/payouts');
    if (progress.paymentsRead !== progress.paymentsReadAgain) answersDiffer(work, '/payments');
    return true;
  },
  async unexplained(work) {
    await checkExceptions(work);
    await explainUnmatchedPayments(work);
    await endCustody(work);
    await checkLocks(work);
    await checkSaleLocks(work);
    work.progress.phase = 'done';
    return true;
  },
};

/**
 * Whether the reading beside the ledger told all: else the payouts are read, and compared, once more. What was recorded in
 * between is then seen in one reading, and nothing explains a payment that is not itself compared with the rules.
 */
const nothingOpen = (inputs: Inputs, progress: Progress): boolean =>
  progress.unmatched.length === 0 && progress.paidDigest === progress.validatedDigest && refundsAgree(inputs, progress);

/** A difference that only one of two readings shows is one. */
const worseOf = ({ firstPayoutFindings: first, payoutFindings: last }: Progress): Findings =>
  first !== null && first.differencesTotal > last.differencesTotal ? first : last;

const answersDiffer = ({ inputs: { target }, progress }: VerificationWork, path: string): void =>
  addDifference(progress.findings, {
    kind: 'answers_differ',
    subject: `${target.projectId}${path}`,
    message: `${path} of the same ledger was read twice, and the answers are not the same`,
  });

/** Terms that the project resource shows under the same name. */
const SHOWN = [
  'name',
  'token',
  'distributor',
  'deposit_address',
  'destination_tag',
  'starts_at',
  'ends_at',
  'soft_cap_xrp',
  'min_investment_xrp',
  'max_per_wallet_xrp',
  'access',
  'distribution',
  'vesting',
  'treasury',
  'claim_days',
] as const satisfies (keyof ProjectResource)[];
const TIER = ['tier', 'price_per_token', 'total_tokens', 'access', 'starts_at'] as const;

const text = (value: unknown): string => canonicalize(value) ?? 'nothing';

/** Whether the hash is that of the text, the text is of this sale, and the project page shows what the text says. */
function checkTerms({ project, target, account, statedHashes }: Inputs, findings: Findings): void {
  const subject = target.projectId;
  const differ = (kind: 'terms_differ' | 'terms_shown_differ', field: string, expected: unknown, found: unknown) => {
    if (text(expected) === text(found)) return;
    const [must, is] = [text(expected), text(found)];
    addDifference(findings, {
      kind,
      subject,
      field,
      expected: must,
      found: is,
      message: `${field} is ${is}, and ${must} in the terms`,
    });
  };
  differ('terms_differ', 'sha256', target.hash, statedHashes.get(subject));
  differ('terms_differ', 'project', subject, target.terms.project);
  differ('terms_differ', 'deposit_address', account.address, target.terms.deposit_address);
  const { custody } = target.terms;
  if (custody !== undefined) {
    const registered = Math.max(account.registered_ledger, custody.from_ledger);
    differ('terms_differ', 'custody.from_ledger', registered, custody.from_ledger);
    differ('terms_differ', 'custody.refund_min_xrp', account.refund_min_xrp, custody.refund_min_xrp);
  }
  differ('terms_shown_differ', 'custody', custody ?? null, project.custody);
  differ('terms_shown_differ', 'locks', target.terms.locks, project.locks);
  differ('terms_shown_differ', 'unsold_until', target.terms.unsold_until, project.unsold_until);
  differ('terms_shown_differ', 'vesting_locked', target.terms.vesting_locked, project.vesting_locked);
  const { shown } = target;
  for (const field of SHOWN) differ('terms_shown_differ', field, shown[field], project[field]);
  const tiers = Array.isArray(shown.tiers) ? (shown.tiers as Record<string, unknown>[]) : [];
  differ('terms_shown_differ', 'tiers.length', tiers.length, project.tiers.length);
  for (const [index, tier] of tiers.entries()) {
    const shownTier = project.tiers[index];
    for (const field of TIER) {
      differ('terms_shown_differ', `tiers[${index}].${field}`, tier[field], shownTier?.[field] ?? null);
    }
    const { type, ...credential } = shownTier?.credential ?? { type: null };
    const shownCredential = shownTier?.credential == null ? null : credential;
    differ('terms_shown_differ', `tiers[${index}].credential`, tier.credential ?? null, shownCredential);
    // People read the text, and the ledger decides by its bytes.
    const asText = shownTier?.credential == null ? null : credentialTypeText(shownTier.credential.credential_type);
    differ('terms_shown_differ', `tiers[${index}].credential.type`, asText, type);
  }
}
