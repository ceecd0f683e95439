import { isNull } from 'drizzle-orm';
import { maintenances } from '#drizzle/schema/jobs.ts';
import { appendAudit } from '#lib/audit.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import { appendEvents } from '#lib/events/append.ts';
import type { Maintenance } from './contracts.ts';
import { operatorName, toMaintenance } from './maintenance-resource.ts';

/**
 * Ends the open maintenance, with its event and audit entry in one transaction; the caller wakes the dispatch. Throws
 * `conflict` when none is open.
 */
export async function endMaintenance(ctx: Ctx, { reason }: { reason: string }): Promise<Maintenance> {
  const now = new Date(ctx.clock.nowMs());
  return ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .update(maintenances)
      .set({ endedAt: now, endedBy: operatorName(ctx) })
      .where(isNull(maintenances.endedAt))
      .returning();
    if (row === undefined) throw new PlatformError('conflict', 'No maintenance is open.');
    const maintenance = toMaintenance(row);
    const { id, message, started_at } = maintenance;
    await appendEvents(tx, [
      {
        type: 'system.maintenance_end',
        subject: id,
        projectId: null,
        occurredAt: now,
        data: { maintenance_id: id, message, started_at, ended_at: now.toISOString() },
      },
    ]);
    await appendAudit(tx, ctx, { action: 'maintenance.end', subject: id, reason, after: maintenance });
    return maintenance;
  });
}
