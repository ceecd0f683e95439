import { createHash } from 'node:crypto';
import type { LedgerTransaction } from './publications.ts';

const ASSIGNMENT = 'tranche/tickets';
const MEMO_TYPE = Buffer.from(ASSIGNMENT).toString('hex').toUpperCase();
const PURPOSE_DIGITS = 18;

/** What the tickets of one account were created for, by their numbers; each purpose as 18 hex digits. */
export type Tickets = Map<number, string>;

/** docs/verification.md section 11, "Tickets". */
export function ticketsOf(
  transactions: LedgerTransaction[],
  isSigned: (transaction: LedgerTransaction) => boolean,
): Tickets {
  const tickets: Tickets = new Map();
  for (const line of transactions) {
    if (line.tx_json.TransactionType !== 'TicketCreate' || !isSigned(line)) continue;
    const created = createdTickets(line);
    const purposes = assignedBy(line, created.length);
    created.forEach((ticket, index) => {
      const purpose = purposes[index];
      if (purpose !== undefined) tickets.set(ticket, purpose);
    });
  }
  return tickets;
}

export function purposeOfPayment(kind: string, { ledger, index }: { ledger: number; index: number }, part: number) {
  const bytes = Buffer.alloc(9);
  bytes.writeUInt8(kind === 'distribution' ? 1 : 2, 0);
  bytes.writeUInt32BE(ledger, 1);
  bytes.writeUInt16BE(index, 5);
  bytes.writeUInt16BE(part, 7);
  return bytes.toString('hex').toUpperCase();
}

export function purposeOfRelease(project: string): string {
  return `03${createHash('sha256').update(project).digest('hex').slice(0, 16)}`.toUpperCase();
}

function createdTickets({ meta }: LedgerTransaction): number[] {
  const nodes = Array.isArray(meta.AffectedNodes) ? meta.AffectedNodes : [];
  return nodes
    .filter((node) => node?.CreatedNode?.LedgerEntryType === 'Ticket')
    .map((node) => Number(node.CreatedNode.NewFields?.TicketSequence))
    .sort((a, b) => a - b);
}

function assignedBy({ tx_json: { Memos } }: LedgerTransaction, count: number): string[] {
  if (!Array.isArray(Memos) || Memos.length !== 1) return [];
  const { MemoType, MemoData } = Memos[0]?.Memo ?? {};
  if (typeof MemoType !== 'string' || MemoType.toUpperCase() !== MEMO_TYPE) return [];
  if (typeof MemoData !== 'string' || MemoData.length !== count * PURPOSE_DIGITS) return [];
  const purposes = MemoData.toUpperCase().match(/.{18}/g) ?? [];
  return purposes.every((purpose) => /^0[123]/.test(purpose)) ? purposes : [];
}
