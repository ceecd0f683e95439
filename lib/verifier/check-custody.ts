import { decodeAction } from '@tranche/rules/action-memo.ts';
import { formatDrops } from '@tranche/rules/amounts.ts';
import {
  type Custody,
  custodyFaults,
  fewestWitnesses,
  isQuorum,
  purposeId,
  witnessesThatMayBeAway,
} from '@tranche/rules/custody.ts';
import type { FeedEntry, OwnTransaction } from '@tranche/rules/feed-entry.ts';
import { isLedgerUnavailable } from './errors.ts';
import { addDifference } from './findings.ts';
import { feedEnds, type Inputs } from './inputs.ts';
import {
  type CustodyFinding,
  type CustodyProgress,
  type Progress,
  stateOf,
  type VerificationWork,
} from './progress.ts';
import type { PublishedPayout } from './published.ts';
import { type AccountControl, custodyDifferences } from './read-control.ts';

const MAX_FOUND = 1_000;

type Own = Exclude<FeedEntry, { kind: 'payment' }> & { own: OwnTransaction };
const isOwn = (entry: FeedEntry): entry is Own => entry.kind !== 'payment' && entry.own !== undefined;

/** What the tickets of an account's successful payments were created for, by the payments' hashes; null for nothing. */
export type PurposesPaid = ReadonlyMap<string, string | null>;

/**
 * Looks at the own transactions of one of the two paying accounts, in ledger order: who has signed each, whether custody
 * knows its kind, and what the ticket that it used was for. Null for a sale without custody, which costs nothing.
 */
export function watchCustody(
  { target }: Inputs,
  progress: Progress,
  account: string,
  entries: readonly FeedEntry[],
): PurposesPaid | null {
  const { custody } = target.terms;
  if (custody === undefined) return null;
  const tickets = progress.custody.tickets.get(account) ?? new Map<number, string>();
  progress.custody.tickets.set(account, tickets);
  const paid = new Map<string, string | null>();
  for (const entry of entries) {
    if (!isOwn(entry)) continue;
    const { own, hash } = entry;
    const purpose = (own.ticket === null ? undefined : tickets.get(own.ticket)) ?? null;
    if (own.ticket !== null) tickets.delete(own.ticket);
    const isSigned = own.delegate === null && isQuorum(custody, own.signers);
    if (isSigned && own.assigned.length === own.ticketsCreated.length) {
      for (const [index, ticket] of own.ticketsCreated.entries()) tickets.set(ticket, own.assigned[index] ?? '');
    }
    if (own.succeeded && own.transactionType === 'Payment') paid.set(hash, purpose);
    if (progress.launch === null || entry.ledgerIndex < progress.launch.ledger_index) continue;
    if (entry.ledgerIndex > progress.launch.ledger_index) checkOwn(custody, progress.custody, account, entry);
    const action = entry.kind === 'self' ? decodeAction(entry) : null;
    const assigned = progress.custody.assigned.get(action?.paymentHash ?? '');
    if (assigned?.by !== hash) continue;
    if (purpose === purposeId({ kind: 'refund', payment: assigned.payment, part: 1 })) continue;
    note(progress.custody, account, entry, {
      kind: 'ticket_for_other_purpose',
      message: `${hash}: credits the payment ${action?.paymentHash}, and used no ticket that was created for its refund`,
    });
  }
  return paid;
}

const KINDS: ReadonlySet<string> = new Set(['Payment', 'TicketCreate']);

function checkOwn(custody: Custody, kept: CustodyProgress, account: string, entry: Own): void {
  const { own, hash } = entry;
  const { transactionType, signers, delegate, setsNothing } = own;
  kept.transactions += 1;
  for (const signer of signers) kept.signatures.set(signer, (kept.signatures.get(signer) ?? 0) + 1);
  if (delegate !== null || !isQuorum(custody, signers)) {
    const by = delegate ?? (signers.length === 0 ? 'one key' : signers.join(', '));
    note(kept, account, entry, {
      kind: 'custody_not_signed',
      message: `${hash}: a ${transactionType} of ${account}, signed by ${by}: no quorum of the signers in the terms`,
    });
  }
  if (KINDS.has(transactionType) || (transactionType === 'AccountSet' && setsNothing)) return;
  note(kept, account, entry, {
    kind: 'custody_changed',
    message: `${hash}: a ${transactionType} of ${account}, which custody does not allow`,
  });
}

function note(
  kept: CustodyProgress,
  account: string,
  { hash, ledgerIndex, closedAtMs }: Own,
  found: Pick<CustodyFinding, 'kind' | 'message'>,
): void {
  if (kept.found.length >= MAX_FOUND) kept.foundMore += 1;
  else kept.found.push({ account, hash, ledgerIndex, closedAtMs, ...found });
}

/**
 * What a payout's ticket must have been created for. Of a payment that an action credits the payout's row names the place of
 * that action, also when it was paid before: then the payment is still among those held.
 */
export function purposeOf({ target }: Inputs, { custody: kept, sale }: Progress, row: PublishedPayout): string {
  const { kind, payment_hash: hash, part } = row;
  if (kind === 'release') return purposeId({ kind, projectId: target.projectId });
  // No ticket is created for a lock: a sale under custody has none.
  if (kind === 'lock') return 'none';
  const decided = {
    ledgerIndex: row.decided_ledger_index ?? 0,
    transactionIndex: row.decided_transaction_index ?? 0,
  };
  const payment = kept.assigned.get(hash ?? '')?.payment ?? sale.held.get(hash ?? '') ?? decided;
  return purposeId({ kind, payment, part });
}

/** Whether the payment that a payout names used a ticket for it. */
export function checkPurpose(
  inputs: Inputs,
  progress: Progress,
  row: PublishedPayout,
  { hash, ledgerIndex, purpose }: { hash: string; ledgerIndex: number; purpose: string | null },
): void {
  const { custody: kept, findings } = progress;
  kept.lastPaidLedger = Math.max(kept.lastPaidLedger, ledgerIndex);
  const expected = purposeOf(inputs, progress, row);
  if (purpose === expected) return;
  addDifference(findings, {
    kind: 'ticket_for_other_purpose',
    subject: row.id,
    ledger_index: ledgerIndex,
    field: 'ticket',
    expected,
    found: purpose,
    message: `${row.id}: ${hash} used ${purpose === null ? 'no ticket that was created for anything' : `a ticket that was created for ${purpose}`}, and the payout's purpose is ${expected}`,
  });
}

/**
 * Custody lasts until the sale is over and nothing of it is owed; what changed before then is a difference. Until it
 * changed, or else at the last ledger, each account must be as the terms say: with the history after the launch, that
 * tells that it was so all the time.
 */
export async function endCustody({ ledger, inputs, progress }: VerificationWork): Promise<void> {
  const { target } = inputs;
  const { custody, deposit_address: deposit, distributor } = target.terms;
  if (custody === undefined) return;
  const hasEnded = progress.asOf === feedEnds(inputs);
  if (progress.launch === null) {
    if (hasEnded) checkEnd(inputs, progress, false);
    return;
  }
  const { custody: kept, findings, through } = progress;
  const { counts } = findings;
  const endedAtMs = stateOf(target, progress).endedAtMs;
  const isPaid = through === progress.asOf && counts.payouts_owed === 0 && counts.payouts_to_come === 0;
  const isOver = ({ closedAtMs, ledgerIndex }: CustodyFinding): boolean =>
    isPaid && endedAtMs !== null && closedAtMs > endedAtMs && ledgerIndex > kept.lastPaidLedger;
  for (const each of kept.found) {
    const { kind, hash, ledgerIndex, message } = each;
    if (!isOver(each)) {
      addDifference(findings, { kind, subject: hash, ledger_index: ledgerIndex, found: hash, message });
    }
  }
  findings.differencesTotal += kept.foundMore;
  if (hasEnded) {
    checkEnd(inputs, progress, isPaid && endedAtMs !== null);
    await checkReplaced({ ledger, inputs, progress }, custody);
  }
  for (const account of new Set([deposit, distributor])) {
    const later = kept.found.filter((each) => each.account === account && isOver(each));
    const ledgerIndex = Math.min(through, ...later.map((each) => each.ledgerIndex - 1));
    const control = await readControl({ ledger, progress }, account, ledgerIndex);
    if (control !== undefined) checkControl(custody, progress, { account, ledgerIndex }, control);
  }
}

/** Who signs in the period after it knows nothing of the sale: what is open then is never paid. */
function checkEnd({ target }: Inputs, progress: Progress, isOver: boolean): void {
  const { findings, asOf, through, heldDrops } = progress;
  if (through < asOf || (isOver && heldDrops === 0n)) return;
  addDifference(findings, {
    kind: 'custody_ended_early',
    subject: target.projectId,
    ledger_index: asOf,
    message: `${target.projectId}: its custody period ended in ledger ${asOf}, and ${isOver ? `${formatDrops(heldDrops)} XRP of its payments were held` : 'the sale was not over, or owed something'}`,
  });
}

/** That a period has ended is the platform's word: only other signers on the ledger show that the sale could not go on. */
async function checkReplaced(
  { ledger, inputs, progress }: Pick<VerificationWork, 'ledger' | 'inputs' | 'progress'>,
  custody: Custody,
): Promise<void> {
  const { address, confirmed_ledger: now } = inputs.account;
  const control = await readControl({ ledger, progress }, address, now);
  if (control === undefined || custodyDifferences(custody, control).length > 0) return;
  progress.findings.unchecked.push({
    account: address,
    from_ledger: progress.asOf + 1,
    through_ledger: now,
    reason: 'the platform says that the sale’s custody period is over, and the account has the same signers still',
  });
}

/** Undefined when no server shows it. */
async function readControl(
  { ledger, progress }: Pick<VerificationWork, 'ledger' | 'progress'>,
  account: string,
  ledgerIndex: number,
): Promise<AccountControl | null | undefined> {
  try {
    if (ledger.accountControl !== undefined) return await ledger.accountControl(account, ledgerIndex);
  } catch (error) {
    if (!isLedgerUnavailable(error)) throw error;
  }
  progress.findings.unchecked.push({
    account,
    from_ledger: ledgerIndex,
    through_ledger: ledgerIndex,
    reason: 'the ledger server does not show which keys can sign for the account in this ledger',
  });
  return undefined;
}

function checkControl(
  custody: Custody,
  { findings }: Progress,
  { account, ledgerIndex }: { account: string; ledgerIndex: number },
  control: AccountControl | null,
): void {
  for (const { field, expected, found } of custodyDifferences(custody, control)) {
    addDifference(findings, {
      kind: 'custody_state_differs',
      subject: account,
      ledger_index: ledgerIndex,
      field,
      expected,
      found,
      message: `${account}: ${field} is ${found} in ledger ${ledgerIndex}, and must be ${expected}`,
    });
  }
}

/** Who can move the money of the sale, and what was seen of it; null when one key can. Pure. */
export function custodyReport({ target }: Inputs, { custody: kept }: Progress) {
  const { custody } = target.terms;
  if (custody === undefined) return null;
  const { quorum, platform, witnesses } = custody;
  const needed = fewestWitnesses(custody);
  return {
    quorum,
    platform,
    witnesses: witnesses.map(({ name, operator, account, weight }) => ({
      name,
      operator,
      account,
      weight,
      signatures: kept.signatures.get(account) ?? 0,
    })),
    least_witnesses: Number.isFinite(needed) ? needed : null,
    may_be_away: witnessesThatMayBeAway(custody),
    faults: custodyFaults(custody),
    transactions: kept.transactions,
  };
}
