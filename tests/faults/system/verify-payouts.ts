import { REFUND_SOURCE_TAG } from '@tranche/rules/types.ts';
import { payoutAttempts, payouts } from '#drizzle/schema/payouts.ts';
import { projects } from '#drizzle/schema/sale.ts';
import type { Shown } from '#tests/faults/ledger-history.ts';
import { excuseOf } from './excuses.ts';
import { unpaidPayouts } from './settle.ts';
import type { World } from './world.ts';

/**
 * Whether the ledger shows each payout paid once, in full and to the right place, nothing paid that is not owed, and nothing
 * owed that could be paid. `sent` is everything that the paying accounts paid since the start.
 */
export async function verifyPayouts(world: World, sent: readonly Shown[]): Promise<string[]> {
  const { db } = world.platform;
  const wrong: string[] = [];
  const rows = await db.select().from(payouts);
  const kinds = new Map((await db.select().from(projects)).map(({ id, tokenKind }) => [id, tokenKind]));
  const paidBy = new Map(rows.flatMap((row) => (row.status === 'validated' ? [[row.txHash ?? '', row]] : [])));
  const attempts = new Map((await db.select().from(payoutAttempts)).map((row) => [row.txHash, row]));
  for (const shown of sent) {
    const row = paidBy.get(shown.hash);
    paidBy.delete(shown.hash);
    if (row === undefined) {
      const payoutId = attempts.get(shown.hash)?.payoutId;
      wrong.push(
        `${shown.hash} paid ${shown.units} ${shown.asset} to ${shown.destination} for ${payoutId ?? 'nobody'}, and the books do not say so`,
      );
      continue;
    }
    const { id, kind, account, destination, destinationTag, amount, ledgerIndex, projectId } = row;
    const isToken = kind === 'distribution';
    const asset = isToken ? kinds.get(projectId ?? '') : 'xrp';
    const expected = [account, destination, destinationTag, asset, String(amount), ledgerIndex];
    const found = [shown.sender, shown.destination, shown.destinationTag, shown.asset, shown.units, shown.ledgerIndex];
    if (expected.join() !== found.join()) wrong.push(`${id} is ${expected}, and ${shown.hash} paid ${found}`);
    if (!shown.isPlain) wrong.push(`${id} was paid by ${shown.hash} with paths or as a partial payment`);
    if (shown.sourceTag !== (isToken ? null : REFUND_SOURCE_TAG))
      wrong.push(`${id} was paid with source tag ${shown.sourceTag}`);
  }
  for (const [hash, { id }] of paidBy) wrong.push(`${id} is booked as paid by ${hash}, which the ledger does not show`);
  for (const [hash, { status, payoutId }] of attempts) {
    const isShown = sent.some((shown) => shown.hash === hash);
    if ((status === 'validated') !== isShown)
      wrong.push(`attempt ${hash} of ${payoutId} is ${status}, on the ledger ${isShown}`);
  }
  for (const payout of await unpaidPayouts(db)) {
    if (excuseOf(world, payout) !== null) continue;
    const { id, kind, status, reason, destination } = payout;
    wrong.push(`${id}, a ${kind} to ${destination}, is ${status} (${reason}) without a reason that holds`);
  }
  return wrong;
}
