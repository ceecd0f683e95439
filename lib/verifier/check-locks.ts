import { formatUnits } from '@tranche/rules/amounts.ts';
import { type CreatedEscrow, countEscrow, type Lock, promisedUnits } from '@tranche/rules/locks.ts';
import { isLedgerUnavailable, isUnexpectedAnswer } from './errors.ts';
import { addDifference } from './findings.ts';
import type { VerificationWork } from './progress.ts';

export type LockWork = Pick<VerificationWork, 'ledger' | 'inputs' | 'progress'>;

/**
 * Whether the escrows that the terms name lock what they promise (docs/verification.md, section 12). An escrow that
 * could not be released before `until` was there all the time: its creation proves that. What is still in escrow is told
 * besides, where a server holds the state of the last ledger.
 */
export async function checkLocks(work: LockWork): Promise<void> {
  const { target } = work.inputs;
  const { launch, findings, locks } = work.progress;
  if (launch === null) return;
  const { token } = target.terms;
  const counted = new Set<string>();
  for (const lock of target.terms.locks) {
    let units = 0n;
    let standingUnits: bigint | null = 0n;
    let isChecked = true;
    const faults: string[] = [];
    for (const { transaction_hash: hash, ledger_index: ledgerIndex } of lock.escrows) {
      const escrow = await readEscrow(work, lock, hash, ledgerIndex);
      if (escrow === undefined) {
        isChecked = false;
        continue;
      }
      const found =
        escrow === null
          ? { fault: `has created no escrow in ledger ${ledgerIndex}` }
          : counted.has(hash)
            ? { fault: 'counts already' }
            : ledgerIndex > launch.ledger_index
              ? { fault: `was created in ledger ${ledgerIndex}, after the launch` }
              : await countStanding(work, lock, escrow);
      counted.add(hash);
      if ('fault' in found) {
        faults.push(`${hash} ${found.fault}`);
        continue;
      }
      units += found.units;
      standingUnits = standingUnits === null || found.standing === null ? null : standingUnits + found.standing;
    }
    const { label, receiver, amount, until } = lock;
    const locked = formatUnits(units, token.decimals);
    const inEscrow = isChecked && standingUnits !== null ? formatUnits(standingUnits, token.decimals) : null;
    locks.push({ label, receiver, amount, until, locked: isChecked ? locked : null, in_escrow: inEscrow });
    if (!isChecked || units >= promisedUnits(lock, token)) continue;
    addDifference(findings, {
      kind: 'lock_not_kept',
      subject: target.projectId,
      ledger_index: launch.ledger_index,
      field: label,
      expected: amount,
      found: locked,
      message: [
        `${label}: the escrows that the terms name lock ${locked} of ${amount} tokens for ${receiver} until ${until}`,
        ...faults,
      ].join('; '),
    });
  }
}

/** What an escrow locks, and how much of it still stands in the last ledger: null when no server tells. */
export async function countStanding(
  work: LockWork,
  lock: Pick<Lock, 'receiver' | 'until'>,
  escrow: CreatedEscrow,
): Promise<{ units: bigint; standing: bigint | null } | { fault: string }> {
  const { target } = work.inputs;
  const { asOf, asOfClosedAtMs } = work.progress;
  const found = countEscrow(lock, target.terms.token, escrow);
  if ('fault' in found) return found;
  const stands = await standsAtEnd(work, escrow);
  if (stands === null) return { ...found, standing: null };
  if (stands) return { ...found, standing: found.units };
  // The ledger before the one that ends an escrow closed after FinishAfter, so that this one closed later still.
  return asOfClosedAtMs > (escrow.finishAfterMs ?? 0)
    ? { ...found, standing: 0n }
    : { fault: `holds nothing in ledger ${asOf}, and nothing could end its escrow before` };
}

/** Null when no server tells: the creation proves the lock, so that nothing is unchecked by that. */
async function standsAtEnd({ ledger, progress }: LockWork, { escrowId }: CreatedEscrow): Promise<boolean | null> {
  if (ledger.escrowStands === undefined || progress.through < progress.asOf) return null;
  try {
    return await ledger.escrowStands(escrowId, progress.asOf);
  } catch (error) {
    if (isLedgerUnavailable(error) || isUnexpectedAnswer(error)) return null;
    throw error;
  }
}

/** Undefined when no server shows it: then it is unchecked. */
export async function readEscrow(
  { ledger, progress }: LockWork,
  { receiver }: Pick<Lock, 'receiver'>,
  hash: string,
  ledgerIndex: number,
): Promise<CreatedEscrow | null | undefined> {
  try {
    if (ledger.createdEscrow !== undefined) return await ledger.createdEscrow(hash, ledgerIndex);
  } catch (error) {
    if (!isLedgerUnavailable(error)) throw error;
  }
  progress.findings.unchecked.push({
    account: receiver,
    from_ledger: ledgerIndex,
    through_ledger: ledgerIndex,
    reason: `the ledger server does not show whether ${hash} has created an escrow in this ledger`,
  });
  return undefined;
}
