import { sql } from 'drizzle-orm';
import { payoutAttempts, payouts, ticketRequests } from '#drizzle/schema/payouts.ts';
import type { Db } from '#lib/base/db.ts';
import type { Witnesses, WrittenLine } from '#tests/faults/witnesses.ts';
import type { Obligation } from './obligations.ts';
import type { Scene } from './scene.ts';
import { type Paid, paymentsByObligation } from './verify-ledger.ts';

const KINDS = { distribution: '01', refund: '02', release: '03' } as const;
const ENTRY_DIGITS = 18;
/** What no platform asks for that knows its own records, however far its ledger server is behind. */
const NEVER_ASKED = new Set(['ticket_for_other_purpose', 'malformed', 'account_not_served', 'fee_too_high']);

/** The purpose of a ticket that pays it, written out here so that nothing of the product is trusted. */
function purposeOf({ kind, paid, part }: Obligation): string {
  const hex = (value: number, bytes: number) =>
    value
      .toString(16)
      .toUpperCase()
      .padStart(2 * bytes, '0');
  return KINDS[kind] + hex(paid?.ledgerIndex ?? 0, 4) + hex(paid?.transactionIndex ?? 0, 2) + hex(part, 2);
}

const textOf = ({ kind, paid, part }: Obligation): string =>
  `${kind} ${paid?.ledgerIndex}:${paid?.transactionIndex} part ${part}`;

/** For which purpose each ticket of an account was created, and which ticket each of its transactions used. */
async function readTickets({ client, startLedger }: Scene, account: string) {
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

/** Whether each payment used a ticket that was created for it, and the witnesses signed nothing that is not owed. */
export async function verifyWitnessed(
  scene: Scene,
  witnesses: Witnesses,
  owed: readonly Obligation[],
  shown: Paid,
): Promise<string[]> {
  const wrong: string[] = [];
  const tickets = new Map(
    await Promise.all(
      [scene.deposit, scene.distributor].map(
        async ({ address }) => [address, await readTickets(scene, address)] as const,
      ),
    ),
  );
  for (const [obligation, payments] of paymentsByObligation(owed, shown)) {
    for (const { hash, sender } of payments) {
      const found = tickets.get(sender);
      const purpose = found?.createdFor.get(found.usedBy.get(hash) ?? 0);
      if (purpose === purposeOf(obligation)) continue;
      wrong.push(`${obligation.id} was paid by ${hash} with a ticket for ${purpose ?? 'nothing'}`);
    }
  }
  const due = new Set(owed.map(textOf));
  const purposes = new Set(owed.map(purposeOf));
  for (const { event, kind, purpose, purposes: created = [], reason, detail, witness, isTrusting } of witnesses.log) {
    const name = `witness ${witness + 1}`;
    if (event === 'refused' && !isTrusting && NEVER_ASKED.has(reason ?? '')) {
      wrong.push(`${name} was asked for ${kind} ${purpose}: ${reason}, ${detail}`);
    }
    if (event !== 'signed') continue;
    if (kind === 'payment' && !due.has(purpose ?? ''))
      wrong.push(`${name} has signed ${purpose}, which nobody is owed`);
    if (kind === 'action' && !purpose?.startsWith('launch ')) wrong.push(`${name} has signed ${purpose}`);
    for (const each of created) {
      if (!purposes.has(each)) wrong.push(`${name} has signed a ticket for ${each}, which nobody is owed`);
    }
  }
  return wrong;
}

/** Everything that was signed for a payout or a ticket. */
export async function countSigned(db: Db): Promise<number> {
  const { rows } = await db.execute<{ n: number }>(sql`
    select ((select count(*) from ${payoutAttempts}) + (select count(*) from ${ticketRequests}))::integer as n`);
  return rows[0]?.n ?? 0;
}

/** Whether everything that could be paid but for the witnesses says that it waits for them. */
export async function verifyWaiting(db: Db): Promise<string[]> {
  const { rows } = await db.execute<{ id: string; status: string; reason: string | null }>(sql`
    select id, status, reason from ${payouts} where due_at <= now()
      and (status in ('scheduled', 'submitted') or (status = 'ready' and (reason is null or reason = 'witness_refused')))`);
  return rows.map(({ id, status, reason }) => `without a quorum ${id} is ${status} with reason ${reason}`);
}

/** The least time until something is asked for once more (lib/payouts/change-status.ts), less what a clock is off by. */
const PATIENCE_MS = 25_000;

/** Whether nobody was asked at once for a payment that too few have signed. The lines are of one witness and in order. */
export function verifyPatience(lines: readonly WrittenLine[]): string[] {
  const askedAtMs = new Map<string, number>();
  return lines.flatMap(({ kind, purpose, witness, at, ticket }) => {
    if (kind !== 'payment') return [];
    const key = `${witness} ${purpose} ${ticket}`;
    const [before, now] = [askedAtMs.get(key), Date.parse(at)];
    askedAtMs.set(key, now);
    const isSoon = before !== undefined && now - before < PATIENCE_MS;
    return isSoon ? [`without a quorum witnesses are asked for ${purpose} again after ${now - before} ms`] : [];
  });
}
