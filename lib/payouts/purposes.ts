import { type Purpose, purposeId } from '@tranche/rules/custody.ts';
import { type Candidate, writePurpose } from '@tranche/witness/protocol.ts';
import { and, eq, sql } from 'drizzle-orm';
import { payouts } from '#drizzle/schema/payouts.ts';
import type { Db } from '#lib/base/db.ts';
import { type Drops, formatDrops } from '#lib/base/money.ts';
import type { Payout } from './types.ts';

/** What a ticket must have been created for to pay this payout (docs/custody.md). Pure. */
export function purposeOf({ id, kind, projectId, paymentPlace, part }: Payout): Purpose {
  if (kind === 'release' && projectId !== null) return { kind, projectId };
  if (kind !== 'release' && kind !== 'lock' && kind !== 'unlock' && paymentPlace !== null)
    return { kind, payment: paymentPlace, part };
  throw new Error(`Payout ${id} is for no payment and no sale`);
}

export const purposeIdOf = (payout: Payout): string => purposeId(purposeOf(payout));

interface Envelope {
  ticket: number;
  feeDrops: Drops;
  lastLedgerSequence: number;
}

export const limitsOf = ({ feeDrops, lastLedgerSequence }: Omit<Envelope, 'ticket'>) => ({
  fee_drops: feeDrops.toString(),
  last_ledger_sequence: lastLedgerSequence,
});

/** What witnesses are asked to sign to pay a payout. `releasedDrops` is what its sale has released before. Pure. */
export const paymentCandidate = (payout: Payout, envelope: Envelope, releasedDrops: Drops): Candidate => ({
  kind: 'payment',
  purpose: writePurpose(purposeOf(payout)),
  ticket: envelope.ticket,
  ...(payout.kind === 'release'
    ? { release: { released_xrp: formatDrops(releasedDrops), amount_xrp: formatDrops(payout.amount) } }
    : {}),
  ...limitsOf(envelope),
});

/** What the sale has released so far, by validated payouts. */
export async function releasedDrops(db: Db, projectId: string): Promise<Drops> {
  const [row] = await db
    .select({ drops: sql<string>`coalesce(sum(${payouts.amount}), 0)::text` })
    .from(payouts)
    .where(and(eq(payouts.projectId, projectId), eq(payouts.kind, 'release'), eq(payouts.status, 'validated')));
  return BigInt(row?.drops ?? 0);
}
