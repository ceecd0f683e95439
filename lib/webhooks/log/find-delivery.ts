import { and, eq } from 'drizzle-orm';
import { deliveries, events } from '#drizzle/schema/events.ts';
import type { Db } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { deliveryColumns } from '#lib/webhooks/rows.ts';

/** A delivery of the webhook, with its event. Whose webhook it is was checked before. Throws `not_found`. */
export async function findDelivery(db: Db, webhookId: string, id: string) {
  const [row] = await db
    .select({
      ...deliveryColumns,
      body: events.body,
      isTest: events.isTest,
      eventSequence: deliveries.eventSequence,
      leasedUntil: deliveries.leasedUntil,
    })
    .from(deliveries)
    .innerJoin(events, eq(events.id, deliveries.eventId))
    .where(and(eq(deliveries.id, id), eq(deliveries.webhookId, webhookId)));
  if (row === undefined) throw new PlatformError('not_found', 'This webhook has no such delivery.');
  return row;
}
