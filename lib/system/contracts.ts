import { z } from 'zod';
import { defineContract } from '#lib/platform/contract.ts';
import { idPattern } from '#lib/platform/ids.ts';

const oneCheck = z.object({
  status: z.enum(['up', 'down']),
  latency_ms: z.int().meta({ description: 'Time until the answer, or until we gave up waiting for it' }),
});

export const systemStatus = z
  .object({
    status: z.enum(['operational', 'degraded', 'down']).meta({
      description:
        'down: nothing works; degraded: a part is away or the ledger stands still, payments are late but safe',
    }),
    version: z.string().meta({ example: '0.1.0+27db558' }),
    network: z.string().meta({ description: 'Name of the ledger network', example: 'mainnet' }),
    network_id: z.int(),
    time: z.iso.datetime(),
    checks: z.object({ database: oneCheck, cache: oneCheck, ledger: oneCheck, queue: oneCheck }),
    ledger: z.object({
      validated_index: z.int().nullable(),
      age_seconds: z.int().nullable().meta({ description: 'Since the newest validated ledger closed' }),
      processed_index: z.int().nullable().meta({ description: 'Every payment up to this ledger is recorded' }),
      lag: z.int().nullable().meta({ description: 'Ledgers validated and not yet processed' }),
    }),
  })
  .meta({ id: 'SystemStatus' });

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

const MAX_ITEMS = 100;
const reason = z
  .string()
  .trim()
  .min(3)
  .max(500)
  .meta({ description: 'Why; stands in the audit log', example: 'ledger gap after an outage' });
const dryRun = z.boolean().default(false).meta({ description: 'Report what would be done and change nothing' });
const ledgerIndex = z.int().min(1).max(0xffff_ffff);
const transactionHash = z
  .string()
  .regex(/^[0-9A-Fa-f]{64}$/, 'must be 64 hex characters')
  .transform((hash) => hash.toUpperCase());

export const processTransactionsContract = defineContract({
  id: 'processTransactions',
  method: 'POST',
  path: '/api/system/process-transactions',
  tag: 'internal',
  summary: 'Look at given transactions or ledgers again and process what was missed',
  access: [{ kind: 'administrator', role: 'operator' }],
  rateLimit: 'internal',
  body: z
    .strictObject({
      transaction_hashes: z.array(transactionHash).min(1).max(MAX_ITEMS).optional(),
      from_ledger: ledgerIndex.optional(),
      to_ledger: ledgerIndex.optional(),
      dry_run: dryRun,
      reason,
    })
    .refine((body) => (body.transaction_hashes === undefined) !== (body.from_ledger === undefined), {
      error: 'give transaction_hashes, or from_ledger and to_ledger',
    })
    .refine((body) => (body.from_ledger === undefined) === (body.to_ledger === undefined), {
      path: ['to_ledger'],
      error: 'from_ledger and to_ledger belong together',
    })
    .refine((body) => (body.from_ledger ?? 0) <= (body.to_ledger ?? Number.MAX_SAFE_INTEGER), {
      path: ['to_ledger'],
      error: 'must not be below from_ledger',
    }),
  responses: {
    200: z.object({
      dry_run: z.boolean(),
      found: z.int(),
      already_known: z.int(),
      changed: z.int(),
      transactions: z.array(
        z.object({ hash: z.string(), outcome: z.enum(['processed', 'already_known', 'not_found', 'not_a_payment']) }),
      ),
    }),
  },
  errors: ['ledger_unavailable', 'not_implemented'],
});

export const issueTokensContract = defineContract({
  id: 'issueTokens',
  method: 'POST',
  path: '/api/system/issue-tokens',
  tag: 'internal',
  summary: 'Pay out tokens that are due now',
  access: [{ kind: 'administrator', role: 'operator' }],
  rateLimit: 'internal',
  body: z.strictObject({
    project_id: z.string().regex(idPattern('proj'), 'must be proj_<id>').optional(),
    investment_ids: z
      .array(z.string().regex(idPattern('inv'), 'must be inv_<id>'))
      .min(1)
      .max(MAX_ITEMS)
      .optional(),
    limit: z.int().min(1).max(1_000).default(100),
    dry_run: dryRun,
    reason,
  }),
  responses: {
    200: z.object({
      dry_run: z.boolean(),
      submitted: z.int(),
      waiting: z.int(),
      refused: z.int(),
      refusals: z.array(z.object({ investment_id: z.string(), reason: z.string() })),
    }),
  },
  errors: ['project_not_found', 'investment_not_found', 'ledger_unavailable', 'not_implemented'],
});

export const trustlineMonitorContract = defineContract({
  id: 'trustlineMonitor',
  method: 'GET',
  path: '/api/system/trustline-monitor',
  tag: 'internal',
  summary: 'Daily look at the trust lines of holders who are owed tokens',
  access: [{ kind: 'scheduler' }, { kind: 'administrator', role: 'read_only' }],
  rateLimit: 'internal',
  responses: {
    200: z.object({
      checked: z.int(),
      ready: z.int(),
      missing: z.int(),
      limit_too_low: z.int(),
      frozen: z.int(),
      unauthorised: z.int(),
      accounts: z.array(z.object({ address: z.string(), healthy: z.boolean(), problems: z.array(z.string()) })),
    }),
  },
  errors: ['ledger_unavailable', 'not_implemented'],
});
