import { and, desc, isNotNull, isNull, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { maintenances } from '#drizzle/schema/jobs.ts';
import { appendAudit } from '#lib/audit.ts';
import { toIso, toIsoOrNull } from '#lib/base/clock.ts';
import { decodeCursor, toPage } from '#lib/base/cursor.ts';
import { isUniqueViolation } from '#lib/base/database-errors.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import type { Ctx } from '#lib/ctx.ts';
import { appendEvents } from '#lib/events/append.ts';
import type { Maintenance, startMaintenanceBody } from './contracts.ts';

const toMaintenance = (row: typeof maintenances.$inferSelect): Maintenance => ({
  id: row.id,
  message: row.message,
  started_at: toIso(row.startedAt),
  started_by: row.startedBy,
  expected_end_at: toIsoOrNull(row.expectedEndAt),
  ended_at: toIsoOrNull(row.endedAt),
  ended_by: row.endedBy,
});

/** Name of the administrator who acts. The contracts admit no other actor. */
function operatorName({ actor }: Ctx): string {
  if (actor.kind !== 'administrator') throw new Error(`Maintenance is for administrators; the actor is ${actor.kind}`);
  return actor.name;
}

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

/** The open maintenance, if there is one, and a page of those that have ended, the newest first. */
export async function listMaintenances(
  { db }: Ctx,
  query: { cursor?: string | undefined; limit: number },
): Promise<{ current: Maintenance | null; past: Maintenance[]; next_cursor: string | null }> {
  const after = decodeCursor(query.cursor, 'mnt');
  const [[open], rows] = await Promise.all([
    db.select().from(maintenances).where(isNull(maintenances.endedAt)),
    db
      .select()
      .from(maintenances)
      .where(
        and(
          isNotNull(maintenances.endedAt),
          after === null
            ? undefined
            : sql`(${maintenances.startedAt}, ${maintenances.id}) < (${after.at.toISOString()}::timestamptz, ${after.id})`,
        ),
      )
      .orderBy(desc(maintenances.startedAt), desc(maintenances.id))
      .limit(query.limit + 1),
  ]);
  const { rows: shown, next } = toPage(rows, query.limit, (row) => ({ at: row.startedAt, id: row.id }));
  return {
    current: open === undefined ? null : toMaintenance(open),
    past: shown.map(toMaintenance),
    next_cursor: next,
  };
}
