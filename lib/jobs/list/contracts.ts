import { z } from 'zod';
import { isoTime } from '#lib/base/clock.ts';
import { defineContract } from '#lib/base/contract.ts';
import { JOB_STATES } from './job-state.ts';

const job = z
  .object({
    name: z.string().meta({ example: 'process-payments' }),
    path: z.string().nullable().meta({ description: 'What its cron calls; null for work without a cron' }),
    every_seconds: z.int().nullable().meta({ description: 'Between two calls of its cron' }),
    state: z.enum(JOB_STATES).meta({
      description: '`broken_off`: it began and neither ended nor holds its lease any more; the next run takes it up',
    }),
    late: z.boolean().nullable().meta({
      description: 'True when its cron has not begun it for too long; null without a cron, or before its first run',
    }),
    last_started_at: isoTime.nullable(),
    last_finished_at: isoTime.nullable(),
    holder: z.string().nullable().meta({ description: 'The run that holds its lease' }),
    leased_until: isoTime.nullable(),
    slice: z.int().meta({ description: 'Slices that were continued by a queue message, over all its runs' }),
    last_fault: z.object({ at: isoTime, what: z.string() }).nullable().meta({
      description: 'What went wrong last, within the past seven days',
    }),
  })
  .meta({ id: 'Job' });
export type Job = z.output<typeof job>;

export const listJobsContract = defineContract({
  id: 'listJobs',
  method: 'GET',
  path: '/api/admin/jobs',
  tag: 'admin',
  summary: 'Background work: what runs by cron or by continuation, and when it last did',
  access: [{ kind: 'administrator', role: 'read_only' }],
  rateLimit: 'internal',
  responses: {
    200: z.object({
      time: isoTime.meta({ description: 'By the database’s clock, by which leases run' }),
      jobs: z.array(job),
      leases: z.array(job).meta({
        description:
          'Of single accounts and runs (`feed:…`, `signer:…`, `verification:…`), as far as they are held or were within a day; the newest 200',
      }),
    }),
  },
});
