import { sql } from 'drizzle-orm';
import { payoutAttempts, payouts, ticketRequests } from '#drizzle/schema/payouts.ts';
import type { Db } from '#lib/base/db.ts';
import { type Owed, verifyLog, verifyTickets } from '#tests/faults/verify-custody.ts';
import type { Witnesses, WrittenLine } from '#tests/faults/witnesses.ts';
import type { Obligation } from './obligations.ts';
import type { Scene } from './scene.ts';
import { type Paid, paymentsByObligation } from './verify-ledger.ts';

function owedOf({ id, kind, paid, part, sale }: Obligation): Owed {
  if (kind === 'lock' || kind === 'unlock') throw new Error(`${id}: witnesses sign no lock`);
  return kind === 'release'
    ? { kind, projectId: sale }
    : { kind, part, ledgerIndex: paid?.ledgerIndex ?? 0, transactionIndex: paid?.transactionIndex ?? 0 };
}

/** Whether each payment used a ticket that was created for it, and the witnesses signed nothing that is not owed. */
export async function verifyWitnessed(
  scene: Scene,
  witnesses: Witnesses,
  owed: readonly Obligation[],
  shown: Paid,
): Promise<string[]> {
  const paid = [...paymentsByObligation(owed, shown)].flatMap(([obligation, payments]) =>
    payments.map(({ hash, sender }) => ({ id: obligation.id, hash, sender, owed: owedOf(obligation) })),
  );
  const accounts = [scene.deposit.address, scene.distributor.address];
  return [
    ...(await verifyTickets(scene, accounts, paid)),
    ...verifyLog(witnesses.log, owed.map(owedOf), (text) => text.startsWith('launch ')),
  ];
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
