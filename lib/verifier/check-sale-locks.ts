import { formatUnits, type TokenUnits } from '@tranche/rules/amounts.ts';
import { type CreatedEscrow, countEscrow } from '@tranche/rules/locks.ts';
import { countStanding, readEscrow } from './check-locks.ts';
import { amountOwedBy } from './delivered.ts';
import { isLedgerUnavailable } from './errors.ts';
import { addDifference } from './findings.ts';
import type { OtherSale } from './inputs.ts';
import { type LockObligation, lockObligations } from './obligations.ts';
import { stateOf, type VerificationWork } from './progress.ts';
import type { PublishedPayout } from './published.ts';

/** What a sale's end makes the distributor lock must be in escrow by then. */
const LOCKED_WITHIN_MS = 86_400_000;
/** Escrows that the distributor has made besides: beyond this many they are not looked into. */
const MAX_OWN_ESCROWS = 200;

/** What the ledger shows of a lock that is owed. */
interface Found {
  hash: string | null;
  /** Null when no server tells. */
  units: TokenUnits | null;
  /** Of `units`, what the escrow still holds; null when no server tells. */
  standing: TokenUnits | null;
  isKept: boolean;
}
const NOTHING: Found = { hash: null, units: 0n, standing: 0n, isKept: false };

/**
 * Whether the platform has put in escrow what the terms promise to lock at the sale's end: what was not sold, and what vesting
 * owes (docs/verification.md, section 12). How much that is follows from the terms and the feed; each published lock says which
 * transaction has created its escrow.
 */
export async function checkSaleLocks(work: VerificationWork): Promise<void> {
  const { progress, inputs } = work;
  const { target } = inputs;
  const { unsold_until: until, vesting_locked: isVestingLocked, distributor: receiver } = target.terms;
  if (progress.launch === null || (until === null && !isVestingLocked)) return;
  if (until !== null) {
    progress.unsold = { receiver, until, amount: null, transaction_hash: null, locked: null, in_escrow: null };
  }
  if (isVestingLocked) {
    progress.vesting = { receiver, days: null, amount: null, until: null, locked: null, in_escrow: null };
  }
  // What is owed at the end is not known before the whole feed is.
  if (progress.through < progress.asOf) return;
  const owed = lockObligations(target, stateOf(target, progress), progress.dueOnDays);
  const seen: Seen = { counted: new Map(), closedAtMs: new Map() };
  const checked: { lock: LockObligation; found: Found }[] = [];
  for (const lock of owed) checked.push({ lock, found: await checkLock(work, seen, lock) });
  tell(work, checked);
  await lockedAgain(work, checked);
}

/** What has been seen of a sale's locks. */
interface Seen {
  /** The locks by the transactions that have counted for them: each counts once. */
  counted: Map<string, string>;
  /** Close times by ledger. */
  closedAtMs: Map<number, number>;
}

async function checkLock(work: VerificationWork, seen: Seen, lock: LockObligation): Promise<Found> {
  const { progress } = work;
  const { owed, endedAtMs } = lock;
  const row = progress.lockRows.find(({ id, status }) => id === owed.id && status === 'validated');
  const { transaction_hash: hash = null, ledger_index: ledgerIndex = null } = row ?? {};
  if (hash === null || ledgerIndex === null) {
    if (progress.asOfClosedAtMs > endedAtMs + LOCKED_WITHIN_MS) {
      notKept(work, lock, null, 0n, 'and nothing is published as paid a day after the end');
    }
    return NOTHING;
  }
  const other = seen.counted.get(hash);
  if (other !== undefined) {
    addDifference(progress.findings, {
      kind: 'transaction_used_twice',
      subject: owed.id,
      ledger_index: ledgerIndex,
      found: hash,
      message: `${owed.id}: names the transaction that ${other} was paid by`,
    });
    return { ...NOTHING, hash };
  }
  seen.counted.set(hash, owed.id);
  const escrow = await readEscrow(work, lock, hash, ledgerIndex);
  const found = escrow === undefined ? undefined : await countOwn(work, seen, lock, escrow, { hash, ledgerIndex });
  if (found === undefined) return { hash, units: null, standing: null, isKept: false };
  const { units, standing } = 'fault' in found ? { units: 0n, standing: 0n } : found;
  progress.findings.counts.payouts_validated += 1;
  // Else a lock that was missing for weeks would be no difference any more once it is made.
  const isLate = (seen.closedAtMs.get(ledgerIndex) ?? 0) > endedAtMs + LOCKED_WITHIN_MS;
  const isKept = units >= lock.units && !isLate;
  if (!isKept) {
    const late = isLate ? `${hash} was sent more than a day after the end` : null;
    notKept(work, lock, ledgerIndex, units, 'fault' in found ? `${hash} ${found.fault}` : late);
  }
  return { hash, units, standing, isKept };
}

/** Undefined when no server tells when its ledger closed. */
async function countOwn(
  work: VerificationWork,
  seen: Seen,
  lock: LockObligation,
  escrow: CreatedEscrow | null,
  { hash, ledgerIndex }: { hash: string; ledgerIndex: number },
): Promise<Awaited<ReturnType<typeof countStanding>> | undefined> {
  const { owed, endedAtMs } = lock;
  if (escrow === null) return { fault: `has created no escrow in ledger ${ledgerIndex}` };
  if (escrow.owner !== owed.account) return { fault: `was sent by ${escrow.owner}, not by ${owed.account}` };
  const closedAtMs = await closedAt(work, seen, ledgerIndex);
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

async function closedAt({ ledger }: VerificationWork, seen: Seen, ledgerIndex: number): Promise<number | undefined> {
  try {
    const closedAtMs = seen.closedAtMs.get(ledgerIndex) ?? (await ledger.closedAtMs(ledgerIndex));
    seen.closedAtMs.set(ledgerIndex, closedAtMs);
    return closedAtMs;
  } catch (error) {
    if (isLedgerUnavailable(error)) return undefined;
    throw error;
  }
}

const WHAT: Record<LockObligation['term'], string> = {
  unsold_until: 'unsold tokens',
  vesting_locked: 'tokens that vesting owes',
};

function notKept(
  { inputs, progress }: VerificationWork,
  { owed, until, term }: LockObligation,
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
    field: term,
    expected: owed.tokens,
    found: locked,
    message: [
      `${owed.id}: ${locked} of ${owed.tokens} ${WHAT[term]} of ${target.projectId} are locked until ${until}`,
      ...(why === null ? [] : [why]),
    ].join('; '),
  });
}

/** What the report says of the locks. */
function tell(
  { inputs, progress }: VerificationWork,
  checked: readonly { lock: LockObligation; found: Found }[],
): void {
  const { decimals } = inputs.target.terms.token;
  const text = (units: TokenUnits | null): string | null => (units === null ? null : formatUnits(units, decimals));
  const unsold = checked.find(({ lock }) => lock.term === 'unsold_until');
  if (progress.unsold !== null && unsold !== undefined) {
    const { lock, found } = unsold;
    const [locked, inEscrow] = [text(found.units), text(found.standing)];
    progress.unsold = {
      ...progress.unsold,
      amount: lock.owed.tokens,
      transaction_hash: found.hash,
      locked,
      in_escrow: inEscrow,
    };
  }
  const vesting = checked.filter(({ lock }) => lock.term === 'vesting_locked');
  if (progress.vesting !== null && vesting.length > 0) {
    const sum = (unitsOf: (each: (typeof vesting)[number]) => TokenUnits | null): TokenUnits | null =>
      vesting.reduce<TokenUnits | null>((total, each) => {
        const units = unitsOf(each);
        return total === null || units === null ? null : total + units;
      }, 0n);
    progress.vesting = {
      ...progress.vesting,
      days: vesting.length,
      amount: text(sum(({ lock }) => lock.units)),
      until: vesting.at(-1)?.lock.until ?? null,
      locked: text(sum(({ found }) => found.units)),
      in_escrow: text(sum(({ found }) => found.standing)),
    };
  }
}

/** An escrow that locks again what another one has locked. */
interface Again {
  hash: string;
  ledgerIndex: number;
  lock: LockObligation;
  /** The transaction that keeps the lock. */
  keptBy: string | null;
}

/** An escrow of just the same amount and time as one that keeps a lock, and which no sale names or owes, has locked it a second time. */
async function lockedAgain(
  work: VerificationWork,
  checked: readonly { lock: LockObligation; found: Found }[],
): Promise<void> {
  const { inputs, progress } = work;
  const { terms } = inputs.target;
  const kept = checked.filter(({ found }) => found.isKept);
  const named = new Set(kept.map(({ found }) => found.hash));
  const others = kept.length === 0 ? [] : progress.ownEscrows.filter(({ hash }) => !named.has(hash));
  const again: Again[] = [];
  let areShown = true;
  for (const { hash, ledgerIndex } of others.slice(0, MAX_OWN_ESCROWS)) {
    const escrow = await readEscrow(work, { receiver: terms.distributor }, hash, ledgerIndex);
    areShown = escrow !== undefined;
    if (!areShown) break;
    if (escrow == null) continue;
    const same = kept.find(({ lock }) => {
      if (escrow.finishAfterMs !== Date.parse(lock.until)) return false;
      const found = countEscrow(lock, terms.token, escrow);
      return 'units' in found && found.units === lock.units;
    });
    if (same !== undefined) again.push({ hash, ledgerIndex, lock: same.lock, keptBy: same.found.hash });
  }
  const owing = new Set(checked.map(({ lock }) => lock.owed.id));
  for (const { hash, ledgerIndex, lock, keptBy } of await withoutOwed(work, again, owing)) {
    const { id } = lock.owed;
    addDifference(progress.findings, {
      kind: 'payout_paid_twice',
      subject: id,
      ledger_index: ledgerIndex,
      found: hash,
      message: `${id}: was paid by ${keptBy}, and ${hash} in ledger ${ledgerIndex} locks the same again`,
    });
  }
  const [unread] = areShown ? others.slice(MAX_OWN_ESCROWS) : [];
  if (unread === undefined) return;
  progress.findings.unchecked.push({
    account: terms.distributor,
    from_ledger: unread.ledgerIndex,
    through_ledger: progress.through,
    reason: `more than ${MAX_OWN_ESCROWS} escrows of the distributor stand for nothing of this sale`,
  });
}

/** What comes after it in a sale's payouts are its locks. */
const BEFORE_LOCKS = `lock-pay_${'0'.repeat(22)}`;

/**
 * Leaves out the escrows that published locks stand for: a platform knows the transaction that has paid a lock a while after the ledger does,
 * and the account of another sale may not be confirmed up to it. Until then the lock is `owed`, and stands for one escrow of its sum.
 */
async function withoutOwed(
  { source, inputs, progress }: VerificationWork,
  again: readonly Again[],
  owing: ReadonlySet<string>,
): Promise<Again[]> {
  const { distributor, token } = inputs.target.terms;
  const left = [...again];
  const explain = (row: PublishedPayout): void => {
    if (row.kind !== 'lock' || row.account !== distributor) return;
    const { amount } = amountOwedBy(row, token);
    const index =
      row.status === 'owed'
        ? left.findIndex(({ lock }) => lock.units === amount)
        : left.findIndex(({ hash }) => hash === row.transaction_hash);
    if (index >= 0) left.splice(index, 1);
  };
  for (const row of progress.lockRows) if (row.status === 'owed' && owing.has(row.id)) explain(row);
  for (const other of inputs.others) {
    if (left.length === 0) break;
    if (other.distributor !== distributor || !isSameToken(other.token, token)) continue;
    const asOf = Math.min(progress.asOf, other.confirmedLedger);
    for await (const page of source.payouts(other.id, asOf, BEFORE_LOCKS)) for (const row of page) explain(row);
  }
  return left;
}

type Token = OtherSale['token'];

const isSameToken = (a: Token, b: Token): boolean =>
  a.kind === 'mpt'
    ? b.kind === 'mpt' && a.issuance_id === b.issuance_id
    : b.kind === 'iou' && a.currency === b.currency && a.issuer === b.issuer;
