import { debtOf, type Purpose, purposeId } from '@tranche/rules/custody.ts';
import type { Derivation } from './derive.ts';
import type { LogLine } from './log.ts';
import type { PayingAccount } from './paying-account.ts';

/** What became of what a witness has signed, by the ledger; and what should not be. */
export interface Audit {
  signed: number;
  refused: number;
  validated: number;
  open: number;
  /** Its ticket was used by something else, or its last ledger has passed. */
  dead: number;
  /** Signed in an earlier custody period of its account, which is not read any more. */
  earlier: number;
  faults: string[];
}

/**
 * Compares a witness's log with the ledger: everything signed is owed or was paid, and of one purpose no two transactions
 * were signed that could both be validated. Pure; the chain of the log is checked when it is read.
 */
export function audit(lines: readonly LogLine[], derivation: Derivation): Audit {
  const result: Audit = { signed: 0, refused: 0, validated: 0, open: 0, dead: 0, earlier: 0, faults: [] };
  const tickets = new Map<string, LogLine[]>();
  for (const line of lines) {
    if (line.event === 'refused') result.refused += 1;
    if (line.event === 'omitted') result.refused += line.count ?? 0;
    if (line.event !== 'signed') continue;
    result.signed += 1;
    const account = derivation.accounts.get(line.account ?? '');
    const isEarlier = account === undefined && derivation.approvedAccounts.has(line.account ?? '');
    if (isEarlier || (line.ledger_index ?? 0) < (account?.fromLedger ?? 0)) {
      result.earlier += 1;
      continue;
    }
    if (account === undefined) {
      result.faults.push(`Line ${line.n}: signed for ${line.account}, of which no approved sale is paid`);
      continue;
    }
    result[outcomeOf(line, account, derivation)] += 1;
    if (line.kind !== 'payment') continue;
    const fault = faultOf(line, account, derivation);
    if (fault !== null) result.faults.push(`Line ${line.n}: ${fault}`);
    const created = account.tickets.get(line.ticket ?? 0)?.purpose ?? '';
    // Releases of an account take turns, also those of different sales.
    const turn = `${line.account} ${created.startsWith('03') ? 'release' : created}`;
    tickets.set(turn, [...(tickets.get(turn) ?? []), line]);
  }
  for (const signed of tickets.values()) result.faults.push(...twoAtOnce(signed, derivation));
  return result;
}

function outcomeOf(line: LogLine, account: PayingAccount, { view }: Derivation): 'validated' | 'open' | 'dead' {
  const used = line.ticket === undefined ? undefined : account.tickets.get(line.ticket);
  if (line.kind === 'payment' && used?.usedBy != null) {
    const created = used.purpose ?? '';
    return created.startsWith('03') || account.paid.get(created) === used.usedBy ? 'validated' : 'dead';
  }
  // A quorum signs one transaction for a sequence, unless people have signed another.
  const isSequenceUsed = line.sequence !== undefined && line.sequence < (account.onLedger?.sequence ?? 0);
  if (used?.usedBy != null || isSequenceUsed) return 'validated';
  return (line.last_ledger_sequence ?? 0) > (view?.ledgerIndex ?? 0) ? 'open' : 'dead';
}

/** Why a payment that was signed is not one that is owed; null when it is. */
function faultOf({ ticket, purpose }: LogLine, account: PayingAccount, derivation: Derivation): string | null {
  const createdFor = account.tickets.get(ticket ?? 0)?.purpose ?? null;
  if (createdFor === null) return `ticket ${ticket} was created for nothing`;
  const debt = debtOf(createdFor);
  const named = namedPurpose(purpose ?? '');
  if (named !== null && purposeId(named) !== createdFor) return `ticket ${ticket} was not created for ${purpose}`;
  if (debt === null || account.paid.has(createdFor)) return null;
  const owed = derivation.bookOf(debt, account)?.owed(debt, null);
  return owed === undefined || 'refused' in owed ? `${purpose} is not owed by ${account.address}` : null;
}

function namedPurpose(text: string): Purpose | null {
  const match = /^(distribution|refund) (\d+):(\d+) part (\d+)$/.exec(text);
  if (match === null) return null;
  return {
    kind: match[1] === 'distribution' ? 'distribution' : 'refund',
    payment: { ledgerIndex: Number(match[2]), transactionIndex: Number(match[3]) },
    part: Number(match[4]),
  };
}

/** A later ticket may be signed only from a ledger that shows the earlier one used. */
function twoAtOnce(signed: readonly LogLine[], { accounts }: Derivation): string[] {
  const faults: string[] = [];
  for (const later of signed) {
    for (const earlier of signed) {
      if ((earlier.ticket ?? 0) >= (later.ticket ?? 0)) continue;
      const usedAt = accounts.get(earlier.account ?? '')?.tickets.get(earlier.ticket ?? 0)?.usedAt ?? null;
      if (usedAt !== null && usedAt <= (later.ledger_index ?? 0)) continue;
      faults.push(
        `Lines ${earlier.n} and ${later.n}: tickets ${earlier.ticket} and ${later.ticket} were signed for one purpose, and both could be validated`,
      );
    }
  }
  return faults;
}
