import { eq, or } from 'drizzle-orm';
import { payouts } from '#drizzle/schema/payouts.ts';
import { payments } from '#drizzle/schema/sale.ts';
import { type Owed, verifyLog, verifyTickets } from '#tests/faults/verify-custody.ts';
import type { World } from './world.ts';

/** Whether what was paid under custody used a ticket for it, and the witnesses signed only what the records owe. */
export async function verifyWitnessed({
  witnessed,
  platform,
  ground,
  ledgers,
  startLedger,
  sales,
}: World): Promise<string[]> {
  if (witnessed === null) return [];
  const accounts = [ground.deposits[0].address, ground.distributor.address] as const;
  const rows = await platform.db
    .select({ payout: payouts, payment: payments })
    .from(payouts)
    .leftJoin(payments, eq(payments.txHash, payouts.paymentHash))
    .where(or(...accounts.map((account) => eq(payouts.account, account))));
  const owed = rows.map(({ payout, payment }) => ({ payout, owed: owedOf(payout, payment) }));
  const paid = owed.flatMap(({ payout: { id, status, txHash, account }, owed: each }) =>
    status === 'validated' && txHash !== null ? [{ id, hash: txHash, sender: account, owed: each }] : [],
  );
  const ids = sales.map(({ project }) => project.id);
  return [
    ...(await verifyTickets({ client: ledgers.client, startLedger }, accounts, paid)),
    ...verifyLog(
      witnessed.witnesses.log,
      owed.map(({ owed: each }) => each),
      (text) => ids.some((id) => text.endsWith(` ${id}`)),
    ),
  ];
}

function owedOf(
  { kind, projectId, part }: typeof payouts.$inferSelect,
  payment: typeof payments.$inferSelect | null,
): Owed {
  if (kind === 'release') return { kind, projectId: projectId ?? '' };
  if (kind === 'lock' || kind === 'unlock') throw new Error('A sale under custody has no lock');
  return {
    kind,
    part,
    ledgerIndex: payment?.ledgerIndex ?? 0,
    transactionIndex: payment?.transactionIndex ?? 0,
  };
}
