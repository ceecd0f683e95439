import { createHash } from 'node:crypto';
import type { Client } from 'xrpl';
import type { WrittenLine } from './witnesses.ts';

// What must hold of accounts under custody, read from the ledger and from the witnesses' logs, with no code of the product.

const KINDS = { distribution: '01', refund: '02', release: '03' } as const;
const ENTRY_DIGITS = 18;
/** What no platform asks for that knows its own records, however far its ledger server is behind. */
const NEVER_ASKED = new Set(['ticket_for_other_purpose', 'malformed', 'account_not_served', 'fee_too_high']);

/** What is owed: a part of what a payment in this place bought or has back, or a release of a sale. */
export type Owed =
  | { kind: 'distribution' | 'refund'; ledgerIndex: number; transactionIndex: number; part: number }
  | { kind: 'release'; projectId: string };

const hex = (value: number, bytes: number): string =>
  value
    .toString(16)
    .toUpperCase()
    .padStart(2 * bytes, '0');

/** What the memo of a TicketCreate says of a ticket for it. */
function purposeOf(owed: Owed): string {
  if (owed.kind === 'release') {
    return KINDS.release + createHash('sha256').update(owed.projectId).digest('hex').slice(0, 16).toUpperCase();
  }
  return KINDS[owed.kind] + hex(owed.ledgerIndex, 4) + hex(owed.transactionIndex, 2) + hex(owed.part, 2);
}

/** How a witness's log begins to name it. */
const textOf = (owed: Owed): string =>
  owed.kind === 'release'
    ? `release ${owed.projectId}`
    : `${owed.kind} ${owed.ledgerIndex}:${owed.transactionIndex} part ${owed.part}`;

/** For which purpose each ticket of an account was created, and which ticket each of its transactions used. */
async function readTickets(client: Client, startLedger: number, account: string) {
  const createdFor = new Map<number, string>();
  const usedBy = new Map<string, number>();
  let marker: unknown;
  do {
    const { result } = await client.request({
      command: 'account_tx',
      account,
      ledger_index_min: startLedger + 1,
      forward: true,
      limit: 200,
      ...(marker === undefined ? {} : { marker }),
    });
    for (const { tx_json: tx, meta, hash = '' } of result.transactions) {
      if (tx?.Account !== account || typeof meta !== 'object') continue;
      if (tx.TicketSequence !== undefined) usedBy.set(hash, tx.TicketSequence);
      if (tx.TransactionType !== 'TicketCreate') continue;
      const memo = tx.Memos?.[0]?.Memo.MemoData ?? '';
      const created = meta.AffectedNodes.flatMap((node) =>
        'CreatedNode' in node && node.CreatedNode.LedgerEntryType === 'Ticket'
          ? [Number(node.CreatedNode.NewFields.TicketSequence)]
          : [],
      ).sort((a, b) => a - b);
      for (const [place, ticket] of created.entries()) {
        createdFor.set(ticket, memo.slice(place * ENTRY_DIGITS, (place + 1) * ENTRY_DIGITS));
      }
    }
    marker = result.marker;
  } while (marker !== undefined);
  return { createdFor, usedBy };
}

/** Whether each payment of these accounts used a ticket that was created for what it paid. */
export async function verifyTickets(
  { client, startLedger }: { client: Client; startLedger: number },
  accounts: readonly string[],
  paid: readonly { id: string; hash: string; sender: string; owed: Owed }[],
): Promise<string[]> {
  const wrong: string[] = [];
  for (const account of accounts) {
    const { createdFor, usedBy } = await readTickets(client, startLedger, account);
    for (const { id, hash, owed } of paid.filter(({ sender }) => sender === account)) {
      const purpose = createdFor.get(usedBy.get(hash) ?? 0);
      if (purpose === purposeOf(owed)) continue;
      wrong.push(`${id} was paid by ${hash} with a ticket for ${purpose ?? 'nothing'}`);
    }
  }
  return wrong;
}

/** Whether the witnesses signed nothing that is not owed, and were asked for nothing that makes no sense. */
export function verifyLog(
  log: readonly WrittenLine[],
  owed: readonly Owed[],
  isAction: (text: string) => boolean,
): string[] {
  const wrong: string[] = [];
  const texts = new Set(owed.map(textOf));
  const purposes = new Set(owed.map(purposeOf));
  for (const { event, kind, purpose, purposes: created = [], reason, detail, witness, isTrusting } of log) {
    const name = `witness ${witness + 1}`;
    if (event === 'refused' && !isTrusting && NEVER_ASKED.has(reason ?? '')) {
      wrong.push(`${name} was asked for ${kind} ${purpose}: ${reason}, ${detail}`);
    }
    if (event !== 'signed') continue;
    const text = purpose?.startsWith('release ') ? purpose.split(' ', 2).join(' ') : (purpose ?? '');
    if (kind === 'payment' && !texts.has(text)) wrong.push(`${name} has signed ${purpose}, which nobody is owed`);
    if (kind === 'action' && !isAction(text)) wrong.push(`${name} has signed ${purpose}`);
    for (const each of created) {
      if (!purposes.has(each)) wrong.push(`${name} has signed a ticket for ${each}, which nobody is owed`);
    }
  }
  return wrong;
}
