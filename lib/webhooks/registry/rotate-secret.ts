import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { webhooks } from '#drizzle/schema/events.ts';
import { lockTenant } from '#lib/accounts/tenants/tenant.ts';
import type { Tx } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { seal } from '#lib/base/secretbox.ts';
import type { Ctx } from '#lib/ctx.ts';
import { toWebhook, webhookColumns } from '#lib/webhooks/rows.ts';
import type { Webhook } from '#lib/webhooks/schemas.ts';
import { COMMITTED, commitDueRotations, newSecret } from '#lib/webhooks/secret.ts';
import { actingTenant, auditWebhook, ownWebhook, webhookNotFound } from './acting-tenant.ts';

/**
 * Begins a rotation and gives the new secret, this once. From now on `webhook-signature` carries both keys, and
 * `X-Platform-Signature` stays with the old one until a commit, or 24 hours (docs/webhooks.md#rotate-the-secret).
 * Throws `webhook_not_found`, and `conflict` while another is under way: a third secret would leave one of the two that
 * receivers know without a signature.
 */
export async function rotateSecret(ctx: Ctx, id: string): Promise<Webhook & { secret: string }> {
  const secret = newSecret(ctx.random);
  const webhook = await changeRotation(
    ctx,
    id,
    'webhook.rotate_secret',
    async (tx) => {
      const [row] = await tx
        .update(webhooks)
        .set({
          nextSealedSecret: seal(secret, id, ctx.random),
          rotatedAt: sql`now()`,
          updatedAt: sql`now()`,
        })
        .where(and(eq(webhooks.id, id), isNull(webhooks.nextSealedSecret)))
        .returning(webhookColumns);
      return row;
    },
    ({ secret_rotation: underWay }) =>
      new PlatformError(
        'conflict',
        `A rotation is under way and ends at ${underWay?.ends_at}. Commit it (POST …/rotate-secret/commit) or cancel it (DELETE …/rotate-secret) first.`,
      ),
  );
  return { ...webhook, secret };
}

const CANCELLED = { nextSealedSecret: null, rotatedAt: null };

const noRotation = () =>
  new PlatformError(
    'conflict',
    'No rotation of the secret is under way: it was committed or cancelled, or 24 hours have committed it.',
  );

/** Never idempotent: a caller must not take somebody's cancellation for the commit it asked for, or the reverse. */
const endRotation = (
  ctx: Ctx,
  id: string,
  action: 'webhook.commit_secret' | 'webhook.cancel_rotation',
  written: typeof COMMITTED | typeof CANCELLED,
): Promise<Webhook> =>
  changeRotation(
    ctx,
    id,
    action,
    async (tx) => {
      const [row] = await tx
        .update(webhooks)
        .set({ ...written, updatedAt: sql`now()` })
        .where(and(eq(webhooks.id, id), isNotNull(webhooks.nextSealedSecret)))
        .returning(webhookColumns);
      return row;
    },
    noRotation,
  );

/** Ends the rotation under way: the new secret is the only one. Throws `webhook_not_found`, `conflict` without a rotation. */
export const commitRotation = (ctx: Ctx, id: string): Promise<Webhook> =>
  endRotation(ctx, id, 'webhook.commit_secret', COMMITTED);

/** Ends the rotation under way: the old secret stays, the new one is forgotten. Throws as a commit does. */
export const cancelRotation = (ctx: Ctx, id: string): Promise<Webhook> =>
  endRotation(ctx, id, 'webhook.cancel_rotation', CANCELLED);

type WebhookRow = Parameters<typeof toWebhook>[0];

/**
 * Changes the rotation of one of the tenant's webhooks under the tenant's lock, so that a rotation, a commit and a
 * cancellation at once follow one another. A rotation whose time is over counts as committed. `change` gives the row that it
 * wrote, or undefined where the webhook's state does not allow it; `refusal` says that. Throws `webhook_not_found`.
 */
async function changeRotation(
  ctx: Ctx,
  id: string,
  action: Parameters<typeof auditWebhook>[2],
  change: (tx: Tx) => Promise<WebhookRow | undefined>,
  refusal: (webhook: Webhook) => Error,
): Promise<Webhook> {
  const acting = actingTenant(ctx);
  return ctx.db.transaction(async (tx) => {
    await lockTenant(tx, acting);
    const [found] = await tx.select(webhookColumns).from(webhooks).where(ownWebhook(ctx, id)).for('no key update');
    if (found === undefined) throw webhookNotFound();
    await commitDueRotations(tx, eq(webhooks.id, id));
    const row = await change(tx);
    if (row === undefined) throw refusal(toWebhook(found));
    await auditWebhook(tx, ctx, action, { id });
    return toWebhook(row);
  });
}
