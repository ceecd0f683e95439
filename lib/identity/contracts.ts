import { z } from 'zod';
import { accountAddress } from '#lib/ledger/address.ts';
import { defineContract } from '#lib/platform/contract.ts';
import { tokenAmount, xrpAmount } from '#lib/platform/money.ts';

const walletParams = z.strictObject({ wallet_address: accountAddress });
const walletAddress = z.string().meta({ description: 'Ledger account address' });
const platformId = z.string().meta({ description: 'Platform ID of the wallet' });
const level = z.string().meta({ description: 'Level that the holdings give' });
const instant = z.iso.datetime();

export const getPlatformIdStatusContract = defineContract({
  id: 'getPlatformIdStatus',
  method: 'GET',
  path: '/api/platform-id/status/{wallet_address}',
  tag: 'platform-id',
  summary: 'Platform ID status of a wallet',
  access: [{ kind: 'public' }],
  rateLimit: 'read',
  cacheControl: 'public, max-age=1, stale-while-revalidate=5',
  params: walletParams,
  responses: {
    200: z.object({
      wallet_address: walletAddress,
      has_platform_id: z.boolean(),
      platform_id: platformId.nullable(),
      eligible: z.boolean(),
      reason: z.string().nullable(),
      balance: tokenAmount,
      level: level.nullable(),
      ledger_index: z.int().nullable(),
      synced_at: instant.nullable(),
    }),
  },
  errors: ['not_implemented'],
});

const generated = z.object({
  platform_id: platformId,
  wallet_address: walletAddress,
  level,
  created_at: instant,
});

export const generatePlatformIdContract = defineContract({
  id: 'generatePlatformId',
  method: 'POST',
  path: '/api/platform-id/generate',
  tag: 'platform-id',
  summary: 'Generate a new Platform ID; a wallet that has one gets it again',
  access: [{ kind: 'public' }],
  rateLimit: 'write',
  body: z.strictObject({
    wallet_address: accountAddress,
    display_name: z.string().trim().min(1).max(64).optional(),
  }),
  responses: { 201: generated, 200: generated },
  errors: ['not_eligible', 'not_implemented'],
});

export const getPlatformIdProfileContract = defineContract({
  id: 'getPlatformIdProfile',
  method: 'GET',
  path: '/api/platform-id/profile/{wallet_address}',
  tag: 'platform-id',
  summary: 'Profile information of a wallet',
  access: [{ kind: 'public' }],
  rateLimit: 'read',
  cacheControl: 'public, max-age=1, stale-while-revalidate=5',
  params: walletParams,
  responses: {
    200: z.object({
      wallet_address: walletAddress,
      platform_id: platformId,
      display_name: z.string().nullable(),
      level,
      holdings: tokenAmount,
      share: z.number(),
      rank: z.int(),
      badges: z.array(z.object({ name: z.string(), earned_at: instant })),
      investments: z.object({ count: z.int(), projects: z.int(), total_xrp: xrpAmount }),
      created_at: instant,
    }),
  },
  errors: ['platform_id_not_found', 'not_implemented'],
});
