import { formatUnits } from '@tranche/rules/amounts.ts';
import { type CreatedEscrow, countEscrow, type Lock, promisedUnits } from '@tranche/rules/locks.ts';
import { isLedgerUnavailable } from './errors.ts';
import { addDifference } from './findings.ts';
import type { VerificationWork } from './progress.ts';

type Work = Pick<VerificationWork, 'ledger' | 'inputs' | 'progress'>;

/**
 * Whether the escrows that the terms name lock what they promise (docs/verification.md, section 12). An escrow that
 * could not be released before `until` was there all the time: only its creation is looked at.
 */
export async function checkLocks(work: Work): Promise<void> {
  const { target } = work.inputs;
  const { launch, findings, locks } = work.progress;
  if (launch === null) return;
  const { token } = target.terms;
  const counted = new Set<string>();
  for (const lock of target.terms.locks) {
    let units = 0n;
    let isChecked = true;
    const faults: string[] = [];
    for (const { transaction_hash: hash, ledger_index: ledgerIndex } of lock.escrows) {
      const escrow = await read(work, lock, hash, ledgerIndex);
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
              : countEscrow(lock, token, escrow);
      counted.add(hash);
      if ('fault' in found) faults.push(`${hash} ${found.fault}`);
      else units += found.units;
    }
    const { label, receiver, amount, until } = lock;
    const locked = formatUnits(units, token.decimals);
    locks.push({ label, receiver, amount, until, locked: isChecked ? locked : null });
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

/** Undefined when no server shows it. */
async function read(
  { ledger, progress }: Work,
  { receiver }: Lock,
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
