import { appendAudit } from '#lib/audit.ts';
import type { Tx } from '#lib/base/db.ts';
import type { Ctx } from '#lib/ctx.ts';
import { hostOf } from '#lib/webhooks/delivery/target-policy.ts';
import type { Webhook } from '#lib/webhooks/schemas.ts';

type Shown = Pick<Webhook, 'id'> & Partial<Pick<Webhook, 'url' | 'events' | 'active' | 'project_id'>>;

const shown = ({ url, events, active, project_id }: Shown) =>
  url === undefined ? null : { host: hostOf(url), events, active, project_id };

/**
 * Records what an administrator did to the administrators' webhooks; what developers do with theirs is their own affair.
 * Of the address only the host is kept: the rest may hold a secret of the receiver.
 */
export async function auditWebhook(
  tx: Tx,
  ctx: Ctx,
  action:
    | 'webhook.register'
    | 'webhook.update'
    | 'webhook.delete'
    | 'webhook.rotate_secret'
    | 'webhook.commit_secret'
    | 'webhook.cancel_rotation'
    | 'webhook.test'
    | 'webhook.resend'
    | 'webhook.replay'
    | 'webhook.cancel_replay',
  after: Shown,
  before: Shown | null = null,
): Promise<void> {
  if (ctx.actor.kind !== 'administrator') return;
  await appendAudit(tx, ctx, {
    action,
    subject: after.id,
    reason: 'administrators’ webhook',
    before: before === null ? null : shown(before),
    after: shown(after),
  });
}
