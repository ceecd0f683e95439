import { formatUnits, type TokenUnits } from '@tranche/rules/amounts.ts';
import { type CreatedEscrow, countEscrow } from '@tranche/rules/locks.ts';
import { countStanding, readEscrow } from './check-locks.ts';
import { isLedgerUnavailable } from './errors.ts';
import { addDifference } from './findings.ts';
import { lockObligation, type Obligation, unitsOf } from './obligations.ts';
import { stateOf, type UnsoldFound, type VerificationWork } from './progress.ts';

/** What a sale's end leaves unsold must be in escrow by then. */
const LOCKED_WITHIN_MS = 86_400_000;
/** Escrows that the distributor has made besides: beyond this many they are not looked into. */
const MAX_OWN_ESCROWS = 200;

interface Owed {
  owed: Obligation;
  units: TokenUnits;
  endedAtMs: number;
  lock: { receiver: string; until: string };
}

/**
 * Whether what the sale did not sell is in escrow until the time that its terms promise (docs/verification.md, section 12). How
 * much that is follows from the terms and the feed; the published lock says which transaction has created the escrow.
 */
export async function checkUnsold(work: VerificationWork): Promise<void> {
  const { progress, inputs } = work;
  const { target } = inputs;
  const { unsold_until: until, distributor: receiver, token } = target.terms;
  if (progress.launch === null || until === null) return;
  const found: UnsoldFound = { receiver, until, amount: null, transaction_hash: null, locked: null, in_escrow: null };
  progress.unsold = found;
  // What is unsold is not known before the whole feed is.
  const final = stateOf(target, progress);
  const owed = progress.through < progress.asOf ? null : lockObligation(target, final);
  if (owed === null) return;
  const asked: Owed = {
    owed,
    units: unitsOf(owed.tokens ?? '', target),
    endedAtMs: final.endedAtMs ?? 0,
    lock: { receiver, until },
  };
  found.amount = owed.tokens;
  const row = progress.lockRows.find(({ id, status }) => id === owed.id && status === 'validated');
  const { transaction_hash: hash = null, ledger_index: ledgerIndex = null } = row ?? {};
  if (hash === null || ledgerIndex === null) {
    found.locked = formatUnits(0n, token.decimals);
    found.in_escrow = found.locked;
    if (progress.asOfClosedAtMs > asked.endedAtMs + LOCKED_WITHIN_MS) {
      notKept(work, asked, null, 0n, 'and nothing is published as paid a day after the end');
    }
    return;
  }
  found.transaction_hash = hash;
  const escrow = await readEscrow(work, asked.lock, hash, ledgerIndex);
  if (escrow === undefined) return;
  const counted = await countOwn(work, asked, escrow, hash, ledgerIndex);
  if (counted === undefined) return;
  const units = 'fault' in counted ? 0n : counted.units;
  const standing = 'fault' in counted ? 0n : counted.standing;
  found.locked = formatUnits(units, token.decimals);
  found.in_escrow = standing === null ? null : formatUnits(standing, token.decimals);
  progress.findings.counts.payouts_validated += 1;
  if (units < asked.units) {
    notKept(work, asked, ledgerIndex, units, 'fault' in counted ? `${hash} ${counted.fault}` : null);
  } else await lockedAgain(work, asked, hash);
}

/** Undefined when no server tells when its ledger closed. */
async function countOwn(
  work: VerificationWork,
  { owed, endedAtMs, lock }: Owed,
  escrow: CreatedEscrow | null,
  hash: string,
  ledgerIndex: number,
): Promise<Awaited<ReturnType<typeof countStanding>> | undefined> {
  if (escrow === null) return { fault: `has created no escrow in ledger ${ledgerIndex}` };
  if (escrow.owner !== owed.account) return { fault: `was sent by ${escrow.owner}, not by ${owed.account}` };
  const closedAtMs = await closedAt(work, ledgerIndex);
  if (closedAtMs === undefined) {
    work.progress.findings.unchecked.push({
      account: owed.account,
      from_ledger: ledgerIndex,
      through_ledger: ledgerIndex,
      reason: `the ledger server does not show when the ledger of ${hash} closed`,
    });
    return undefined;
  }
  if (closedAtMs < endedAtMs) return { fault: 'was sent before the end of the sale' };
  return countStanding(work, lock, escrow);
}

async function closedAt({ ledger }: VerificationWork, ledgerIndex: number): Promise<number | undefined> {
  try {
    return await ledger.closedAtMs(ledgerIndex);
  } catch (error) {
    if (isLedgerUnavailable(error)) return undefined;
    throw error;
  }
}

function notKept(
  { inputs, progress }: VerificationWork,
  { owed, lock }: Owed,
  ledgerIndex: number | null,
  units: TokenUnits,
  why: string | null,
): void {
  const { target } = inputs;
  const locked = formatUnits(units, target.terms.token.decimals);
  addDifference(progress.findings, {
    kind: 'lock_not_kept',
    subject: owed.id,
    ledger_index: ledgerIndex,
    field: 'unsold_until',
    expected: owed.tokens,
    found: locked,
    message: [
      `${owed.id}: ${locked} of ${owed.tokens} unsold tokens of ${target.projectId} are locked until ${lock.until}`,
      ...(why === null ? [] : [why]),
    ].join('; '),
  });
}

/** An escrow of just the same amount and time, which no sale names, has locked the unsold tokens a second time. */
async function lockedAgain(work: VerificationWork, { owed, units, lock }: Owed, named: string): Promise<void> {
  const { inputs, progress } = work;
  const { terms } = inputs.target;
  const others = progress.ownEscrows.filter(({ hash }) => hash !== named);
  for (const { hash, ledgerIndex } of others.slice(0, MAX_OWN_ESCROWS)) {
    const escrow = await readEscrow(work, lock, hash, ledgerIndex);
    if (escrow === undefined) return;
    if (escrow === null || escrow.finishAfterMs !== Date.parse(lock.until)) continue;
    const counted = countEscrow(lock, terms.token, escrow);
    if ('fault' in counted || counted.units !== units) continue;
    addDifference(progress.findings, {
      kind: 'payout_paid_twice',
      subject: owed.id,
      ledger_index: ledgerIndex,
      found: hash,
      message: `${owed.id}: was paid by ${named}, and ${hash} in ledger ${ledgerIndex} locks the same again`,
    });
  }
  const [unread] = others.slice(MAX_OWN_ESCROWS);
  if (unread === undefined) return;
  progress.findings.unchecked.push({
    account: owed.account,
    from_ledger: unread.ledgerIndex,
    through_ledger: progress.through,
    reason: `more than ${MAX_OWN_ESCROWS} escrows of the distributor stand for nothing of this sale`,
  });
}
