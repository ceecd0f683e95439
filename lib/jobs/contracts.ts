import { z } from 'zod';
import { isoTime } from '#lib/base/clock.ts';
import { defineContract } from '#lib/base/contract.ts';

const count = z.int().min(0);

export const processPaymentsContract = defineContract({
  id: 'processPayments',
  method: 'GET',
  path: '/api/cron/process-payments',
  tag: 'internal',
  summary: 'Read the ledger, confirm investments, pay out, and wake deliveries: one slice',
  access: [{ kind: 'scheduler' }],
  rateLimit: 'internal',
  query: z.strictObject({}),
  responses: {
    200: z.lazy(() =>
      z.object({
        ledger: z.object({ from: z.int().nullable(), to: z.int().nullable() }),
        recognised: count,
        confirmed: count,
        refused: count,
        tiers_completed: count,
        /** Investments of cancelled sales that were taken back, and investments whose distribution was planned at an end. */
        cancelled_investments: count,
        planned: count,
        payouts: z.object({
          settled: count,
          submitted: count,
          validated: count,
          expired: count,
          waiting: count,
          held: count,
        }),
        deliveries: z.object({ written: count, released: count, republished: count, pruned_events: count }),
        /** Work that failed in this run and is tried again in the next, by name. */
        faults: z.array(z.string()),
        continued: z.boolean(),
        duration_ms: count,
      }),
    ),
  },
  errors: ['ledger_unavailable'],
});

export const continueContract = defineContract({
  id: 'continueJob',
  method: 'POST',
  path: '/api/queue/continue',
  tag: 'internal',
  summary: 'QStash callback: the next slice of background work',
  access: [{ kind: 'queue' }],
  rateLimit: 'internal',
  body: z.strictObject({
    job: z.string().meta({ example: 'process-payments' }),
    run: z.string().optional().meta({ description: 'Of a job whose runs take several slices: the run to go on with' }),
    slice: z.union([z.string(), z.int()]).optional().meta({ description: 'The slice before it' }),
    cursor: z.unknown().optional().meta({ description: 'Where that one stopped; what it is, the job says' }),
  }),
  responses: { 200: z.lazy(() => z.object({ job: z.string(), continued: z.boolean() })) },
});

export const JOB_STATES = ['never', 'idle', 'running', 'broken_off'] as const;

const job = z.lazy(() =>
  z
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
      slice: z.int().meta({ description: 'The number of its newest slice, over all its runs' }),
      last_fault: z.object({ at: isoTime, what: z.string() }).nullable().meta({
        description: 'What went wrong last, within the past seven days',
      }),
      last_overrun: z.object({ at: isoTime, took_ms: count }).nullable().meta({
        description: 'The last slice that took longer than its time budget, within the past seven days',
      }),
    })
    .meta({ id: 'Job' }),
);
export type Job = z.output<typeof job>;

export const listJobsContract = defineContract({
  id: 'listJobs',
  method: 'GET',
  path: '/api/admin/jobs',
  tag: 'admin',
  summary: 'List background jobs with their last run',
  access: [{ kind: 'administrator', role: 'read_only' }],
  rateLimit: 'internal',
  responses: {
    200: z.lazy(() =>
      z.object({
        time: isoTime.meta({ description: 'By the database’s clock, by which leases run' }),
        jobs: z.array(job),
        leases: z.array(job).meta({
          description:
            'Of single accounts and runs (`signer:…`, `verify-sales:…`), as far as they are held or were within a day; the newest 200',
        }),
      }),
    ),
  },
});
