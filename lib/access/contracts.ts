import { z } from 'zod';
import { accountAddress } from '#lib/ledger/address.ts';
import { defineContract, SCOPES } from '#lib/platform/contract.ts';
import { cursorQuery } from '#lib/platform/cursor.ts';
import { visibleName } from '#lib/platform/plain-text.ts';

const instant = z.iso.datetime().meta({ description: 'ISO 8601 UTC', example: '2026-11-21T12:00:00.000Z' });
const keyId = z.string().meta({ description: 'Identifier of the key', example: 'key_4qUZk0r2bJ8sVd1mX7nTqL' });
const prefix = z.string().meta({ description: 'First characters of the key', example: 'tr_live_8Zk2Qp' });
const verified = z.boolean().meta({ description: 'The wallet proved itself when the key was made', example: false });
const scope = z.enum(SCOPES);

const uniqueScopes = z
  .array(scope)
  .min(1)
  .max(20)
  .transform((scopes) => [...new Set(scopes)])
  .meta({ description: 'What the key may do; all scopes when left out', example: [...SCOPES] });

export const createApiKeyBody = z.strictObject({
  wallet_address: accountAddress,
  name: visibleName(64)
    .optional()
    .meta({ description: 'A name of your own for the key', example: 'Production receiver' }),
  scopes: uniqueScopes.default([...SCOPES]),
  expires_in_days: z
    .int()
    .min(1)
    .max(3650)
    .optional()
    .meta({ description: 'Days until the key ends; it does not end when left out', example: 365 }),
});

export const createApiKeyContract = defineContract({
  id: 'createApiKey',
  method: 'POST',
  path: '/api/api-keys/create',
  tag: 'api-keys',
  summary: 'Create an API key. The key is shown once, in this answer.',
  access: [{ kind: 'public' }],
  rateLimit: 'create_key',
  body: createApiKeyBody,
  responses: {
    201: z.object({
      id: keyId,
      api_key: z.string().meta({ description: 'The key itself; store it now, it is never shown again' }),
      prefix,
      wallet_verified: verified,
      scopes: z.array(scope),
      created_at: instant,
      expires_at: instant.nullable(),
    }),
  },
  errors: ['service_unavailable'],
});

export const listApiKeysContract = defineContract({
  id: 'listApiKeys',
  method: 'GET',
  path: '/api/api-keys/list/{wallet_address}',
  tag: 'api-keys',
  summary: 'List the API keys of a wallet, public metadata only, the newest first',
  access: [{ kind: 'public' }],
  rateLimit: 'read',
  params: z.strictObject({ wallet_address: accountAddress }),
  query: z.strictObject(cursorQuery),
  responses: {
    200: z.object({
      api_keys: z.array(
        z.object({
          id: keyId,
          prefix,
          wallet_verified: verified,
          created_at: instant,
          expires_at: instant.nullable(),
          last_used_at: instant.nullable(),
          revoked_at: instant.nullable(),
        }),
      ),
      next_cursor: z.string().nullable(),
    }),
  },
});

export const revokeApiKeyContract = defineContract({
  id: 'revokeApiKey',
  method: 'POST',
  path: '/api/api-keys/revoke',
  tag: 'api-keys',
  summary: 'Revoke an API key. Revoking it again gives the same answer.',
  access: [{ kind: 'public' }],
  rateLimit: 'write',
  body: z.strictObject({
    api_key: z.string().min(1).max(128).meta({ description: 'The key itself' }),
  }),
  responses: { 200: z.object({ id: keyId, revoked_at: instant }) },
  errors: ['not_found'],
});
