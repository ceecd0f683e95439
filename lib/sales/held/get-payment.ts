import type { Ctx } from '#lib/ctx.ts';
import type { PaymentResource } from './contracts.ts';
import { findPayment } from './find-payment.ts';
import { loadPaymentResources } from './payment-resource.ts';

/** One payment, held or not, with its refunds and what may be done with it. Throws `not_found`. */
export async function getPayment(ctx: Ctx, transactionHash: string): Promise<PaymentResource> {
  const row = await findPayment(ctx.db, transactionHash);
  const [resource] = await loadPaymentResources(ctx.db, [row], ctx.clock.nowMs());
  if (resource === undefined) throw new Error(`Payment ${transactionHash} is gone`);
  return resource;
}
