import { z } from 'zod';
import { auditReason } from '#lib/base/audit-reason.ts';
import { isoTime } from '#lib/base/clock.ts';
import { defineContract } from '#lib/base/contract.ts';
import { cursorQuery } from '#lib/base/cursor.ts';
import { givenTime } from '#lib/base/given-time.ts';
import { plainText } from '#lib/base/plain-text.ts';

const operator = [{ kind: 'administrator', role: 'operator' }] as const;

export const maintenanceResource = z.lazy(() =>
  z
    .object({
      id: z.string().meta({ example: 'mnt_4qUZk0r2bJ8sVd1mX7nTqL' }),
      message: z.string(),
      started_at: isoTime,
      started_by: z.string().meta({ description: 'Name of the administrator' }),
      expected_end_at: isoTime.nullable(),
      ended_at: isoTime.nullable(),
      ended_by: z.string().nullable(),
    })
    .meta({ id: 'Maintenance' }),
);
export type Maintenance = z.output<typeof maintenanceResource>;

export const startMaintenanceBody = z.strictObject({
  message: plainText(500)
    .trim()
    .min(3)
    .meta({ description: 'What the public is told', example: 'The database is moved; payments stay safe.' }),
  expected_end_at: givenTime.optional().meta({ description: 'When it is expected to be over' }),
  reason: auditReason,
});

export const startMaintenanceContract = defineContract({
  id: 'startMaintenance',
  method: 'POST',
  path: '/api/admin/maintenance',
  tag: 'admin',
  summary: 'Start a maintenance and send `system.maintenance_start`',
  access: operator,
  rateLimit: 'internal',
  idempotent: true,
  body: startMaintenanceBody,
  responses: { 201: maintenanceResource },
  errors: ['conflict'],
});

export const endMaintenanceContract = defineContract({
  id: 'endMaintenance',
  method: 'POST',
  path: '/api/admin/maintenance/end',
  tag: 'admin',
  summary: 'End the maintenance and send `system.maintenance_end`',
  access: operator,
  rateLimit: 'internal',
  idempotent: true,
  body: z.strictObject({ reason: auditReason }),
  responses: { 200: maintenanceResource },
  errors: ['conflict'],
});

export const listMaintenancesContract = defineContract({
  id: 'listMaintenances',
  method: 'GET',
  path: '/api/admin/maintenance',
  tag: 'admin',
  summary: 'List maintenances, newest first',
  access: [{ kind: 'administrator', role: 'read_only' }],
  rateLimit: 'internal',
  query: z.strictObject(cursorQuery),
  responses: {
    200: z.lazy(() =>
      z.object({
        current: maintenanceResource.nullable(),
        past: z.array(maintenanceResource),
        next_cursor: z.string().nullable().meta({ description: 'Pass as `cursor` for the next page; null at the end' }),
      }),
    ),
  },
});
