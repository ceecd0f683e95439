import { and, eq, isNull, sql } from 'drizzle-orm';
import { webhooks } from '#drizzle/schema/events.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import { webhookColumns } from '#lib/webhooks/rows.ts';
import type { Webhook } from '#lib/webhooks/schemas.ts';
import { newSecret, sealSecret } from '#lib/webhooks/secret.ts';
import { changeRotation } from './change-rotation.ts';

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
          nextSealedSecret: sealSecret(secret, id, ctx.random),
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
