import { sql } from 'drizzle-orm';
import { payouts } from '#drizzle/schema/payouts.ts';
import { allocations, investments, payments, projects, tiers } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';
import type { Shown } from '#tests/faults/ledger-history.ts';

type Payment = typeof payments.$inferSelect;
type Payout = typeof payouts.$inferSelect;
const total = (values: readonly bigint[]): bigint => values.reduce((sum, value) => sum + value, 0n);

/** Whether each payment that the ledger shows stands in the books once and as it is, and nothing else. */
function verifyArrivals(arrived: readonly Shown[], rows: readonly Payment[]): string[] {
  const wrong: string[] = [];
  const known = new Map(rows.map((row) => [row.txHash, row]));
  for (const { hash, units, sender, destinationTag, sourceTag, ledgerIndex, transactionIndex } of arrived) {
    const row = known.get(hash);
    known.delete(hash);
    if (row === undefined) {
      wrong.push(`the payment ${hash} of ${units} drops is lost`);
      continue;
    }
    const booked = [
      row.receivedDrops,
      row.sender,
      row.destinationTag,
      row.sourceTag,
      row.ledgerIndex,
      row.transactionIndex,
    ];
    const seen = [units, sender, destinationTag, sourceTag, ledgerIndex, transactionIndex];
    if (booked.map(String).join() !== seen.map(String).join())
      wrong.push(`${hash} is booked as ${booked}, not ${seen}`);
  }
  for (const hash of known.keys()) wrong.push(`${hash} is booked and never arrived`);
  return wrong;
}

/** Whether what became of each payment is the whole of it, and each part is owed to who paid, once. */
function verifyDecisions(
  rows: readonly Payment[],
  owed: readonly Payout[],
  wasRefunded: ReadonlySet<string>,
): string[] {
  const wrong: string[] = [];
  const refunds = Map.groupBy(
    owed.filter(({ kind }) => kind === 'refund'),
    ({ paymentHash }) => paymentHash ?? '',
  );
  for (const row of rows) {
    const { txHash, outcome, receivedDrops, investedDrops, refundedDrops, heldDrops } = row;
    if (outcome === 'pending') wrong.push(`${txHash} is not decided`);
    if (receivedDrops !== investedDrops + refundedDrops + heldDrops) wrong.push(`${txHash} is not whole`);
    const back = refunds.get(txHash) ?? [];
    const backDrops = total(back.map(({ amount }) => amount));
    if (backDrops !== refundedDrops) wrong.push(`${txHash} owes ${refundedDrops} back, in payouts ${backDrops}`);
    if (back.length > (wasRefunded.has(txHash) ? 2 : 1)) wrong.push(`${txHash} has ${back.length} refunds`);
  }
  const byHash = new Map(rows.map((row) => [row.txHash, row]));
  for (const { id, kind, paymentHash, destination, destinationTag, account } of owed) {
    if (kind === 'release') continue;
    const paid = byHash.get(paymentHash ?? '');
    if (paid === undefined) wrong.push(`${id} is owed for no payment`);
    else if (destination !== paid.sender || destinationTag !== paid.sourceTag) {
      wrong.push(`${id} is owed to ${destination} ${destinationTag}, who paid is ${paid.sender} ${paid.sourceTag}`);
    } else if (kind === 'refund' && account !== paid.account) wrong.push(`${id} is refunded by ${account}`);
  }
  return wrong;
}

/** Whether what was sold is what was allocated, within each tier, and each investment's tokens are owed. */
async function verifySales(db: Db, owed: readonly Payout[]): Promise<string[]> {
  const wrong: string[] = [];
  const [parts, bought, tierRows, sales] = await Promise.all([
    db.select().from(allocations),
    db.select().from(investments),
    db.select().from(tiers),
    db.select().from(projects),
  ]);
  for (const { projectId, tier, soldUnits, totalUnits, valueDrops } of tierRows) {
    const own = parts.filter((part) => part.projectId === projectId && part.tier === tier);
    const units = total(own.map((part) => part.units));
    if (units !== soldUnits) wrong.push(`tier ${tier} of ${projectId} sold ${soldUnits}, allocated ${units}`);
    if (units > totalUnits) wrong.push(`tier ${tier} of ${projectId} is oversold`);
    if (total(own.map((part) => part.amountDrops)) !== valueDrops)
      wrong.push(`tier ${tier} of ${projectId} has another value`);
  }
  for (const { id, status, raisedDrops, treasury } of sales) {
    const raised = total(parts.filter(({ projectId }) => projectId === id).map(({ amountDrops }) => amountDrops));
    const released = owed.filter((row) => row.kind === 'release' && row.projectId === id);
    const releasedDrops = total(released.map(({ amount }) => amount));
    if (releasedDrops > (status === 'completed' ? raisedDrops : 0n)) wrong.push(`${id} released ${releasedDrops}`);
    if (released.some(({ destination }) => destination !== treasury)) wrong.push(`${id} is released to somebody else`);
    if (raised !== raisedDrops) wrong.push(`${id} raised ${raisedDrops}, allocated ${raised}`);
    for (const investment of bought.filter(({ projectId }) => projectId === id)) {
      const units = total(parts.filter((part) => part.investmentId === investment.id).map((part) => part.units));
      if (units !== (investment.totalUnits ?? 0n))
        wrong.push(`${investment.id} bought ${investment.totalUnits}, allocated ${units}`);
      const tokens = owed.filter((row) => row.kind === 'distribution' && row.investmentId === investment.id);
      const live = total(tokens.filter((row) => row.status !== 'cancelled').map((row) => row.amount));
      const isKept = status === 'cancelled' ? tokens.filter((row) => row.status === 'validated') : null;
      const due = isKept === null ? units : total(isKept.map((row) => row.amount));
      if (live !== due) wrong.push(`${investment.id} of a ${status} sale is owed ${live} tokens of ${due}`);
    }
  }
  return wrong;
}

/** Each drop that arrived is allocated, refunded, held or due, and belongs to who sent it; nothing is sold that was not there. */
export async function verifyMoney(db: Db, arrived: readonly Shown[]): Promise<string[]> {
  const rows = await db.select().from(payments);
  const owed = await db.select().from(payouts);
  const { rows: cancelledInvestments } = await db.execute<{ hash: string }>(
    sql`select tx_hash as hash from investments where cancellation_applied`,
  );
  return [
    ...verifyArrivals(arrived, rows),
    ...verifyDecisions(rows, owed, new Set(cancelledInvestments.map(({ hash }) => hash))),
    ...(await verifySales(db, owed)),
  ];
}
