import { appendAudit } from '#lib/audit.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { Tx } from '#lib/platform/db.ts';
import type { Webhook } from './schemas.ts';

/**
 * Records what an administrator did to the administrators' webhooks; what developers do with theirs is their own affair.
 * The address stays out: it may hold a secret of the receiver.
 */
export async function auditWebhook(
  tx: Tx,
  ctx: Ctx,
  action: 'webhook.register' | 'webhook.update' | 'webhook.delete',
  { id, events, active }: Pick<Webhook, 'id'> & Partial<Pick<Webhook, 'events' | 'active'>>,
): Promise<void> {
  if (ctx.actor.kind !== 'administrator') return;
  const after = events === undefined ? null : { events, active };
  await appendAudit(tx, ctx, { action, subject: id, reason: 'administrators’ webhook', after });
}
