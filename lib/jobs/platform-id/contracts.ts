import { listResource } from '@tranche/verifier/published.ts';
import { z } from 'zod';
import { proof } from '#lib/accounts/api-keys/contracts.ts';
import { displayName, exactBalance, level, platformId, walletAddress } from '#lib/accounts/platform-ids/contracts.ts';
import { isoTime } from '#lib/base/clock.ts';
import { defineContract } from '#lib/base/contract.ts';
import { LEVEL_NAME } from '#lib/base/level-list.ts';
import { positiveXrpCodec } from '#lib/base/money.ts';
import { auditReason, visibleName } from '#lib/base/plain-text.ts';
import { projectId } from '#lib/sales/schemas.ts';
import { accountAddress } from '#lib/xrpl/address.ts';

export const generateBody = z
  .strictObject({
    wallet_address: accountAddress,
    display_name: visibleName(64)
      .optional()
      .meta({ description: 'Name to be shown by; asks for a `proof` of the wallet', example: 'Ada' }),
    proof: proof.optional().meta({
      description: 'Of a challenge for `set_display_name` (POST /api/api-keys/challenge); goes with `display_name`',
    }),
  })
  .refine((body) => body.display_name === undefined || body.proof !== undefined, {
    path: ['proof'],
    error: 'is required with `display_name`: sign a challenge for `set_display_name` (POST /api/api-keys/challenge)',
  })
  .refine((body) => body.proof === undefined || body.display_name !== undefined, {
    path: ['display_name'],
    error: 'is required with `proof`; without a name no proof is needed',
  })
  .meta({
    override: ({ jsonSchema }) => {
      jsonSchema.dependentRequired = { display_name: ['proof'], proof: ['display_name'] };
    },
  });

const generated = z.object({
  platform_id: platformId,
  wallet_address: walletAddress,
  display_name: displayName,
  level: level.nullable(),
  created_at: isoTime,
});
export type GeneratedPlatformId = z.output<typeof generated>;

export const generatePlatformIdContract = defineContract({
  id: 'generatePlatformId',
  method: 'POST',
  path: '/api/platform-id/generate',
  tag: 'platform-id',
  summary: 'Give a wallet its Platform ID (201), or the one that it has (200); set its display name by a proof',
  access: [{ kind: 'public' }],
  rateLimit: 'write',
  body: generateBody,
  responses: { 200: generated, 201: generated },
  errors: ['not_eligible', 'invalid_proof', 'ledger_unavailable', 'service_unavailable'],
});

const madeList = z.object({
  dry_run: z.boolean(),
  wallets: z.int().meta({ description: 'Wallets that qualify', example: 1_200 }),
  min_level: z.string().meta({ example: 'silver' }),
  required_balance: exactBalance.meta({ description: 'What each of them held at least; 0 is any amount above zero' }),
  ledger_index: z.int().meta({ description: 'Ledger of the snapshot', example: 90_210_000 }),
  synced_at: isoTime,
  list: listResource.nullable().meta({ description: 'The draft with these wallets; null in a dry run' }),
});
export type MadeList = z.output<typeof madeList>;

export const createListFromPlatformIdsContract = defineContract({
  id: 'createAllowlistFromPlatformIds',
  method: 'POST',
  path: '/api/admin/projects/{id}/lists/from-platform-ids',
  tag: 'admin',
  summary:
    'Begin a new version of a project’s allowlist with the wallets whose Platform ID has a level; commit it like any other',
  access: [{ kind: 'administrator', role: 'operator' }],
  rateLimit: 'internal',
  idempotent: true,
  params: z.object({ id: projectId }),
  body: z.strictObject({
    min_level: z.string().regex(LEVEL_NAME, 'must be the name of a level').meta({
      description: 'The lowest level that is admitted: `holder`, or one of PLATFORM_ID_LEVELS',
      example: 'silver',
    }),
    cap_xrp: positiveXrpCodec
      .nullish()
      .meta({ description: 'What each wallet may invest in listed tiers; null or left out: no limit of its own' }),
    ledger_index: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'Make it of this snapshot only, as a dry run showed it', example: 90_210_000 }),
    dry_run: z.boolean().default(false).meta({ description: 'Only count' }),
    reason: auditReason,
  }),
  responses: { 200: madeList, 201: madeList },
  errors: ['project_not_found', 'transition_not_allowed', 'conflict', 'limit_reached'],
});
