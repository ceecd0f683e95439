import { REFUND_SOURCE_TAG } from '@tranche/rules/types.ts';
import { payoutAttempts, payouts } from '#drizzle/schema/payouts.ts';
import { projects } from '#drizzle/schema/sale.ts';
import type { Shown } from '#tests/faults/ledger-history.ts';
import { CURRENCY, DECIMALS } from '#tests/faults/payouts/tokens.ts';
import { excuseOf } from './excuses.ts';
import { unpaidPayouts } from './settle.ts';
import type { World } from './world.ts';

/** Units of a token as the ledger writes them: an issued currency in tokens, an MPT in units. */
function unitsOf(delivered: string): string {
  const [value = '', token] = delivered.split(' ');
  if (token !== CURRENCY) return value;
  const [, digits = '', fraction = '', exponent = '0'] = /^(\d+)(?:\.(\d+))?(?:e(-?\d+))?$/i.exec(value) ?? [];
  const scale = DECIMALS + Number(exponent) - fraction.length;
  const whole = BigInt(digits + fraction);
  return String(scale >= 0 ? whole * 10n ** BigInt(scale) : whole / 10n ** BigInt(-scale));
}

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
        `${shown.hash} paid ${shown.delivered} to ${shown.destination} for ${payoutId ?? 'nobody'}, and the books do not say so`,
      );
      continue;
    }
    const { id, kind, account, destination, destinationTag, amount, ledgerIndex, projectId } = row;
    const isToken = kind === 'distribution';
    const token = kinds.get(projectId ?? '') === 'mpt' ? 'mpt' : CURRENCY;
    const expected = [account, destination, destinationTag, isToken ? token : 'XRP', String(amount), ledgerIndex];
    const found = [
      shown.sender,
      shown.destination,
      shown.destinationTag,
      shown.isXrp ? 'XRP' : shown.delivered.split(' ')[1],
      shown.isXrp ? shown.delivered : unitsOf(shown.delivered),
      shown.ledgerIndex,
    ];
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
