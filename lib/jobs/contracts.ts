import { z } from 'zod';
import { defineContract } from '#lib/base/contract.ts';
import { waitingCounts } from '#lib/payouts/monitor/contracts.ts';

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
    200: z.object({
      ledger: z.object({ from: z.int().nullable(), to: z.int().nullable() }),
      recognised: count,
      confirmed: count,
      refused: count,
      tiers_completed: count,
      /** Investments of cancelled sales that were taken back, and investments whose distribution was planned at an end. */
      unwound: count,
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
  },
  errors: ['ledger_unavailable'],
});

/** Where a run of the trust line monitor goes on: the cursor and what it has counted by then. */
export const monitorSlice = z.strictObject({
  run: z.string(),
  slice: z.int(),
  after: z.string(),
  counts: waitingCounts,
});

/** Where a run of the verification of one sale goes on; what it has found stands in `verifications`. */
export const verifySlice = z.strictObject({ run: z.string(), slice: z.int() });

/** Where a run of the holder synchronisation goes on; what it has read by then stands in `holder_syncs`. */
export const holdersSlice = z.strictObject({
  run: z.string(),
  slice: z.int(),
  /** Place of the token that is next; null when all are done and only old balances are left to remove. */
  next: z.string().nullable(),
  /** The synchronisation of that token to go on with; null begins one. */
  sync: z.string().nullable(),
  /** How often it was begun anew in this run. */
  restarts: z.int().min(0),
});

export const continueContract = defineContract({
  id: 'continueJob',
  method: 'POST',
  path: '/api/queue/continue',
  tag: 'internal',
  summary: 'QStash callback: the next slice of background work',
  access: [{ kind: 'queue' }],
  rateLimit: 'internal',
  body: z.discriminatedUnion('job', [
    z.strictObject({
      job: z.enum(['process-payments', 'deliveries']),
      slice: z.union([z.string(), z.int()]).optional(),
    }),
    monitorSlice.extend({ job: z.literal('trustline-monitor') }),
    holdersSlice.extend({ job: z.literal('sync-holders') }),
    verifySlice.extend({ job: z.literal('verify-sales') }),
  ]),
  responses: { 200: z.object({ job: z.string(), continued: z.boolean() }) },
});
