import type { z } from 'zod';
import { maintenances } from '#drizzle/schema/jobs.ts';
import { appendAudit } from '#lib/audit.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { isUniqueViolation } from '#lib/base/unique-violation.ts';
import type { Ctx } from '#lib/ctx.ts';
import { appendEvents } from '#lib/events/append.ts';
import type { Maintenance, startMaintenanceBody } from './contracts.ts';
import { operatorName, toMaintenance } from './maintenance-resource.ts';

type Input = z.output<typeof startMaintenanceBody>;

function requireFuture(time: Date | undefined, now: Date): void {
  if (time === undefined || time > now) return;
  const message = 'must lie in the future';
  throw new PlatformError('invalid_request', `expected_end_at: ${message}.`, {
    errors: [{ field: 'expected_end_at', message }],
  });
}

/**
 * Opens a maintenance, with its event and audit entry in one transaction; the caller wakes the dispatch. It announces and
 * stops nothing. Throws `invalid_request` for an expected end that has passed, `conflict` while another one is open.
 */
export async function startMaintenance(ctx: Ctx, { message, expected_end_at, reason }: Input): Promise<Maintenance> {
  const now = new Date(ctx.clock.nowMs());
  requireFuture(expected_end_at, now);
  const id = newId('mnt', ctx.random);
  return ctx.db
    .transaction(async (tx) => {
      const [row] = await tx
        .insert(maintenances)
        .values({ id, message, expectedEndAt: expected_end_at ?? null, startedBy: operatorName(ctx), startedAt: now })
        .returning();
      if (row === undefined) throw new Error('The insert of a maintenance returned no row');
      const maintenance = toMaintenance(row);
      const { started_at, expected_end_at: expectedEndAt } = maintenance;
      await appendEvents(tx, [
        {
          type: 'system.maintenance_start',
          subject: id,
          projectId: null,
          occurredAt: now,
          data: { maintenance_id: id, message, started_at, expected_end_at: expectedEndAt },
        },
      ]);
      await appendAudit(tx, ctx, { action: 'maintenance.start', subject: id, reason, after: maintenance });
      return maintenance;
    })
    .catch((error) => {
      if (!isUniqueViolation(error, 'maintenances_one_open')) throw error;
      throw new PlatformError('conflict', 'A maintenance is open: POST /api/admin/maintenance/end ends it.');
    });
}
