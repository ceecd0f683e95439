import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { nowMs } from '../webhooks/now.ts';
import type { Environment } from './environment.ts';

const LOOK_EVERY_MS = 500;

/** When the last one of a batch was confirmed, received by the last webhook and paid out, in `nowMs()`; null if it never was. */
export interface Settled {
  confirmedAtMs: number | null;
  receivedAtMs: number | null;
  paidOutAtMs: number | null;
}

interface Standing extends Record<string, unknown> {
  confirmed: number;
  paid_out: number;
  is_delivering: boolean;
}

async function standing({ database }: Environment): Promise<Standing> {
  const result = await database.db.execute<Standing>(sql`
    select (select count(*)::integer from investments where status = 'confirmed') as confirmed,
      (select count(*)::integer from payouts where kind = 'distribution' and status = 'validated') as paid_out,
      exists (select from events where not fanned_out)
        or exists (select from deliveries where status in ('pending', 'retrying')) as is_delivering`);
  const [row] = result.rows;
  if (row === undefined) throw new Error('The database says nothing');
  return row;
}

/** Waits until so many payments in all are confirmed, told to every webhook and, where that is meant, paid out, or for so long. */
export async function untilSettled(
  ground: Environment,
  {
    payments,
    arrivals,
    payouts,
    timeoutMs,
  }: { payments: number; arrivals: number; payouts: boolean; timeoutMs: number },
): Promise<Settled> {
  const settled: Settled = { confirmedAtMs: null, receivedAtMs: null, paidOutAtMs: null };
  const giveUpAtMs = nowMs() + timeoutMs;
  while (nowMs() < giveUpAtMs) {
    const { confirmed, paid_out: paidOut, is_delivering: isDelivering } = await standing(ground);
    if (confirmed >= payments) settled.confirmedAtMs ??= nowMs();
    if (paidOut >= payments) settled.paidOutAtMs ??= nowMs();
    const received = await ground.receiver.order<number>({ kind: 'count' });
    if (settled.confirmedAtMs !== null && received >= arrivals && !isDelivering) settled.receivedAtMs ??= nowMs();
    if (settled.receivedAtMs !== null && (settled.paidOutAtMs !== null || !payouts)) break;
    await pause(LOOK_EVERY_MS);
  }
  return settled;
}
