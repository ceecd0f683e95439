import { z } from 'zod';
import { isoTime } from '#lib/base/clock.ts';
import { defineContract } from '#lib/base/contract.ts';
import { CAUSE_NAMES, STATUSES } from './causes.ts';

const count = z.int().min(0);
const oldest = z.number().min(0).nullable().meta({ description: 'Age of the oldest, in seconds; null where none is' });

/** States of a payout that is not done with. */
export const OPEN_PAYOUT_STATES = ['scheduled', 'waiting_holder', 'ready', 'submitted', 'held'] as const;

export const systemMetrics = z.lazy(() =>
  z
    .object({
      deliveries: z.object({
        waiting: count.meta({ description: 'First attempts not made yet; counted up to 10,000' }),
        waiting_oldest_seconds: oldest,
        retries_due: count.meta({ description: 'Retries whose time has come; counted up to 10,000' }),
        retries_due_oldest_seconds: oldest,
      }),
      deliveries_24h: z
        .object({
          delivered: count,
          given_up: count.meta({ description: 'Failed deliveries: every attempt failed' }),
          failed_attempts: count,
          success_rate: z.number().min(0).max(1).nullable().meta({
            description: 'Success rate: the share of ended deliveries that succeeded; null when none ended',
          }),
          latency_ms: z.object({ p50: z.int().nullable(), p95: z.int().nullable() }).meta({
            description:
              'Latency from the creation of a delivery to the receiver’s 2xx, retries included; accurate to about a tenth',
          }),
        })
        .meta({
          description: 'Attempts that began within 24 hours, as far as they are counted: up to three minutes ago',
        }),
      payouts: z
        .array(z.object({ status: z.enum(OPEN_PAYOUT_STATES), count, oldest_seconds: oldest }))
        .meta({ description: 'Open payouts by status; the age counts from the due date and is 0 before it' }),
      held_payments: z.object({ count, oldest_seconds: oldest }),
      jobs: z.array(
        z.object({
          name: z.string().meta({ example: 'process-payments' }),
          last_started_at: isoTime.nullable(),
          last_finished_at: isoTime.nullable(),
          late: z.boolean().nullable().meta({
            description:
              'True when its cron has not begun it for too long; null without a cron, or before its first run',
          }),
        }),
      ),
    })
    .meta({ id: 'SystemMetrics' }),
);

export type SystemMetrics = z.output<typeof systemMetrics>;

const oneCheck = z.object({
  status: z.enum(['up', 'down']),
  latency_ms: z.int().meta({ description: 'Time until the answer, or until the time-out' }),
});

export const systemStatus = z.lazy(() =>
  z
    .object({
      status: z.enum(STATUSES).meta({
        description:
          'down: nothing works; degraded: a part is away or late, or the ledger stands still: payments are late but safe; or an invariant is violated or an account halted, which a person must look into',
      }),
      causes: z.array(z.enum(CAUSE_NAMES)).meta({ description: 'Why it is not operational; empty while it is' }),
      version: z.string().meta({ example: '0.1.0+27db558' }),
      commit: z.string().nullable().meta({ description: 'What is deployed; null where the deployment does not know' }),
      network: z.string().meta({ description: 'Name of the ledger network', example: 'mainnet' }),
      network_id: z.int(),
      time: z.iso.datetime(),
      checks: z.object({ database: oneCheck, cache: oneCheck, ledger: oneCheck, queue: oneCheck }),
      ledger: z.object({
        validated_index: z.int().nullable(),
        age_seconds: z.int().nullable().meta({ description: 'Since the newest validated ledger closed' }),
        processed_index: z.int().nullable().meta({ description: 'Every payment up to this ledger is recorded' }),
        lag: z.int().nullable().meta({ description: 'Ledgers validated and not yet processed' }),
        servers: z
          .array(
            z.object({
              server: z.int().meta({ description: 'Its place in the settings, from 1' }),
              status: z.enum(['up', 'down']),
              latency_ms: z.int(),
              validated_index: z.int().nullable(),
              behind: z.int().nullable().meta({ description: 'Ledgers behind the newest that any server shows' }),
              agrees: z.boolean().nullable().meta({
                description:
                  'Whether it shows the same chain as the first that answers; null where that cannot be told',
              }),
            }),
          )
          .meta({ description: 'The ledger servers against each other; empty where only one is configured' }),
      }),
      metrics: systemMetrics.nullable().meta({
        description: 'Queue lengths and delivery statistics; null when the database does not answer',
      }),
      invariants: z
        .object({
          balances: z.object({
            status: z.enum(['ok', 'violated', 'unknown']).meta({
              description: 'Whether the recorded balances match the ledger; unknown: not compared recently',
            }),
            accounts: z
              .array(
                z.object({
                  account: z.string(),
                  difference_xrp: z
                    .string()
                    .meta({ description: 'Balance on the ledger minus the recorded balance', example: '-5.000000' }),
                  ledger_index: z.int().meta({ description: 'Where the two were compared' }),
                }),
              )
              .meta({ description: 'Accounts with a difference' }),
          }),
          unknown_withdrawals: z.int().nullable().meta({
            description: 'Unknown withdrawals: transactions that took XRP and that the platform did not sign',
          }),
          unknown_transfers: z
            .int()
            .nullable()
            .meta({ description: 'Unknown transfers: transactions of distributors that the platform did not sign' }),
          foreign_transactions: z.int().nullable().meta({
            description:
              'All transactions that changed a balance and that the platform did not sign, fee-only ones included',
          }),
          late_discoveries: z.int().nullable().meta({
            description: 'Late discoveries: payments found below the confirmed watermark that are still held',
          }),
          halted_accounts: z
            .int()
            .nullable()
            .meta({ description: 'Deposit accounts that an operator has halted: their payments wait undecided' }),
          unfit_signing_keys: z.int().nullable().meta({
            description: 'Accounts that cannot pay because their signing key is configured incorrectly',
          }),
        })
        .meta({ description: 'What must always hold; null where the database does not answer' }),
      maintenance: z
        .object({ message: z.string(), started_at: z.iso.datetime(), expected_end_at: z.iso.datetime().nullable() })
        .nullable()
        .meta({
          description:
            'The work that the operators have announced; null where none is, or the database does not answer',
        }),
    })
    .meta({ id: 'SystemStatus' }),
);

export type SystemStatus = z.output<typeof systemStatus>;

export const getSystemStatusContract = defineContract({
  id: 'getSystemStatus',
  method: 'GET',
  path: '/api/system/status',
  tag: 'system',
  summary: 'Real-time system health and metrics',
  access: [{ kind: 'public' }],
  rateLimit: 'read',
  responses: { 200: systemStatus, 503: systemStatus },
});

export const PROMETHEUS_TEXT = 'text/plain; version=0.0.4; charset=utf-8';

export const getSystemMetricsContract = defineContract({
  id: 'getSystemMetrics',
  method: 'GET',
  path: '/api/system/metrics',
  tag: 'admin',
  summary: 'Get the metrics of the system as Prometheus text',
  access: [{ kind: 'administrator', role: 'read_only' }],
  rateLimit: 'internal',
  responses: {
    200: z.string().meta({
      description: 'Prometheus text format 0.0.4; what is not known has no sample',
      example: 'tranche_status{status="operational"} 1',
    }),
  },
  textType: 'text/plain',
});
