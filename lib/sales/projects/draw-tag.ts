import { and, eq } from 'drizzle-orm';
import { payments } from '#drizzle/schema/sale.ts';
import type { Tx } from '#lib/base/db.ts';
import type { Ctx } from '#lib/ctx.ts';
import { REFUND_SOURCE_TAG } from '#lib/xrpl/tags.ts';

/** A 32-bit tag, never 0, never the one by which bounced refunds are known. */
export function drawTag(ctx: Ctx): number {
  const tag = Buffer.from(ctx.random(4)).readUInt32BE();
  return tag === 0 || tag === REFUND_SOURCE_TAG ? drawTag(ctx) : tag;
}

/** True when some payment to the account carries the tag already: it was judged, or will be, as nobody's. */
export async function isTagPaidTo(tx: Tx, account: string, destinationTag: number): Promise<boolean> {
  const [paid] = await tx
    .select({ txHash: payments.txHash })
    .from(payments)
    .where(and(eq(payments.account, account), eq(payments.destinationTag, destinationTag)))
    .limit(1);
  return paid !== undefined;
}
