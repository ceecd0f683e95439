import { z } from 'zod';
import { isoTime } from '#lib/base/clock.ts';
import { defineContract } from '#lib/base/contract.ts';
import { cursorQuery } from '#lib/base/cursor.ts';
import { givenTime } from '#lib/base/given-time.ts';
import { NO_ZERO, ZERO_FAULT } from '#lib/base/plain-text.ts';

const auditEntry = z.lazy(() =>
  z
    .object({
      id: z.string().meta({ example: 'aud_4qUZk0r2bJ8sVd1mX7nTqL' }),
      created_at: isoTime,
      actor: z.string().meta({
        description: 'Who did it, by kind and name; to members administrators are shown as `administrator`',
        example: 'administrator:alice',
      }),
      action: z.string().meta({ description: 'What was done, as family.verb', example: 'payout.release' }),
      subject: z.string().meta({ description: 'What it was done to', example: 'pay_4qUZk0r2bJ8sVd1mX7nTqL' }),
      reason: z.string().meta({ example: 'asked for by the owner, ticket 4711' }),
      before: z
        .unknown()
        .meta({ description: 'What stood before, or what was asked for; null where there is nothing' }),
      after: z.unknown().meta({ description: 'What stands since; null where there is nothing' }),
      request_id: z.string().meta({ description: 'The `X-Request-Id` of the answer, and of the lines in the log' }),
    })
    .meta({ id: 'AuditEntry' }),
);
export type AuditEntry = z.output<typeof auditEntry>;

const exact = (description: string) =>
  z.string().min(1).max(200).regex(NO_ZERO, ZERO_FAULT).optional().meta({ description });
const time = (description: string) => givenTime.optional().meta({ description });

export const listAuditContract = defineContract({
  id: 'listAudit',
  method: 'GET',
  path: '/api/admin/audit',
  tag: 'admin',
  summary: 'List what administrators did, with who and why, newest first',
  access: [{ kind: 'administrator', role: 'read_only' }],
  rateLimit: 'internal',
  query: z.strictObject({
    actor: exact('Only what this actor did, for example `administrator:alice`'),
    action: exact('Only this action (`payout.release`), or a whole family of them (`payout`)'),
    subject: exact('Only what was done to this'),
    from: time('Not before this time'),
    to: time('Before this time'),
    ...cursorQuery,
  }),
  responses: {
    200: z.lazy(() =>
      z.object({
        entries: z.array(auditEntry),
        next_cursor: z.string().nullable().meta({ description: 'Pass as `cursor` for the next page; null at the end' }),
      }),
    ),
  },
});

export const listOwnAuditContract = defineContract({
  id: 'listOwnAudit',
  method: 'GET',
  path: '/api/owner/audit',
  tag: 'owners',
  summary: 'List what members of the tenant did, and what administrators did to its sales, newest first',
  access: [{ kind: 'member', role: 'viewer' }],
  rateLimit: 'read',
  query: z.strictObject(cursorQuery),
  responses: {
    200: z.lazy(() =>
      z.object({
        entries: z.array(auditEntry),
        next_cursor: z.string().nullable().meta({ description: 'Pass as `cursor` for the next page; null at the end' }),
      }),
    ),
  },
});
