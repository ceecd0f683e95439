import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { webhooks } from '#drizzle/schema/events.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import { webhookColumns } from '#lib/webhooks/rows.ts';
import type { Webhook } from '#lib/webhooks/schemas.ts';
import { changeRotation } from './change-rotation.ts';
import { COMMITTED } from './commit-due.ts';

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
