import { z } from 'zod';
import { defineContract } from '#lib/platform/contract.ts';
import { tokenAmount } from '#lib/platform/money.ts';

const share = z.number().min(0).max(1).meta({ description: 'Part of the supply, 0 to 1' });

export const holderStatsContract = defineContract({
  id: 'holderStats',
  method: 'GET',
  path: '/api/cron/holder-stats',
  tag: 'internal',
  summary: 'Holder statistics of the last synchronisation; read-only and public',
  access: [{ kind: 'public' }],
  rateLimit: 'read',
  cacheControl: 'public, max-age=60',
  responses: {
    200: z.object({
      holders: z.int(),
      supply: tokenAmount,
      top_10_share: share,
      top_100_share: share,
      gini: z.number().min(0).max(1),
      median: tokenAmount,
      histogram: z.array(z.object({ from: tokenAmount, to: tokenAmount.nullable(), holders: z.int() })),
      change: z.object({ holders: z.int(), added: z.int(), removed: z.int() }).nullable(),
      ledger_index: z.int(),
      synced_at: z.iso.datetime(),
    }),
  },
  errors: ['not_implemented'],
});

export const syncHoldersContract = defineContract({
  id: 'syncHolders',
  method: 'GET',
  path: '/api/cron/sync-holders',
  tag: 'internal',
  summary: 'Full holder synchronisation',
  access: [{ kind: 'scheduler' }],
  rateLimit: 'internal',
  responses: {
    200: z.object({
      sync_id: z.string(),
      status: z.enum(['running', 'complete']),
      ledger_index: z.int(),
      holders: z.int(),
      added: z.int(),
      removed: z.int(),
      pages: z.int(),
      duration_ms: z.int(),
    }),
  },
  errors: ['ledger_unavailable', 'not_implemented'],
});
