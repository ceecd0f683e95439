import { z } from 'zod';
import { asAlternatives, defineContract, exactlyOne, SCOPES } from '#lib/base/contract.ts';
import { cursorQuery } from '#lib/base/cursor.ts';
import { idPattern } from '#lib/base/ids.ts';
import { NO_ZERO, ZERO_FAULT } from '#lib/base/plain-text.ts';
import { visibleName } from '#lib/base/visible-name.ts';
import { accountAddress } from '#lib/xrpl/address.ts';
import { PROVABLE_ACTIONS } from './challenge-text.ts';
import { proof } from './proof.ts';

export const instant = z.iso.datetime().meta({ description: 'ISO 8601 UTC', example: '2026-11-21T12:00:00.000Z' });
export const prefix = z.string().meta({ description: 'First characters of the key', example: 'tr_live_8Zk2Qp' });
export const verified = z
  .boolean()
  .meta({ description: 'The key belongs to the wallet, which proved itself', example: false });
export const scope = z.enum(SCOPES);
export const action = z
  .enum(PROVABLE_ACTIONS)
  .meta({ description: 'What the proof is good for', example: 'create_key' });

const EXAMPLE_KEY_ID = 'key_4qUZk0r2bJ8sVd1mX7nTqL';
export const keyId = z.string().meta({ description: 'Identifier of the key', example: EXAMPLE_KEY_ID });
export const givenKeyId = z
  .string()
  .regex(idPattern('key'), 'must be the id of an API key (key_…)')
  .meta({ description: 'Identifier of the key', example: EXAMPLE_KEY_ID });

export const givenName = visibleName(64).meta({
  description: 'A name of your own for the key',
  example: 'Production receiver',
});

export const givenScopes = z
  .array(scope)
  .min(1)
  .max(20)
  .transform((scopes) => [...new Set(scopes)])
  .meta({
    description: 'What the key may do; left out, all scopes, or those of the key that asks',
    example: [...SCOPES],
  });

/** What anyone may know of a key; the last two only who proved to own it. */
export const listedKey = z.lazy(() =>
  z.object({
    id: keyId,
    prefix,
    wallet_verified: verified,
    created_at: instant,
    expires_at: instant.nullable(),
    last_used_at: instant.nullable(),
    revoked_at: instant.nullable(),
    name: z.string().nullable().optional().meta({ description: 'Only for a key or proof of its tenant' }),
    scopes: z.array(scope).optional().meta({ description: 'Only for a key or proof of its tenant' }),
  }),
);

const params = z.strictObject({ wallet_address: accountAddress });
const keyPage = z.object({ api_keys: z.array(listedKey), next_cursor: z.string().nullable() });

const OTHER_ACTIONS = action.options.filter((one) => one !== 'revoke_key');

export const challengeBody = z
  .strictObject({
    wallet_address: accountAddress,
    action,
    key_id: givenKeyId.optional().meta({ description: 'The key to revoke; for `revoke_key` only' }),
  })
  .refine((body) => body.action !== 'revoke_key' || body.key_id !== undefined, {
    path: ['key_id'],
    error: 'is required for `revoke_key`',
  })
  .refine((body) => body.action === 'revoke_key' || body.key_id === undefined, {
    path: ['key_id'],
    error: 'must be left out unless the action is `revoke_key`',
  })
  .meta(
    asAlternatives('oneOf', [
      { required: ['key_id'], properties: { action: { type: 'string', const: 'revoke_key' } } },
      { without: ['key_id'], properties: { action: { type: 'string', enum: OTHER_ACTIONS } } },
    ]),
  );

export const createChallengeContract = defineContract({
  id: 'createWalletChallenge',
  method: 'POST',
  path: '/api/api-keys/challenge',
  tag: 'api-keys',
  summary: 'Create a challenge for a wallet to sign, valid for one try within five minutes',
  access: [{ kind: 'public' }],
  rateLimit: 'write',
  body: challengeBody,
  responses: {
    201: z.lazy(() =>
      z.object({
        id: z.string().meta({ description: '`challenge_id` of the proof', example: 'chl_4qUZk0r2bJ8sVd1mX7nTqL' }),
        message: z.string().meta({
          description: 'Sign its UTF-8 bytes as they are; it names domain, network, action, wallet, nonce and end',
        }),
        wallet_address: accountAddress,
        expires_at: instant,
      }),
    ),
  },
});

export const createApiKeyBody = z.strictObject({
  wallet_address: accountAddress,
  name: givenName.optional(),
  scopes: givenScopes.optional(),
  expires_in_days: z
    .int()
    .min(1)
    .max(3650)
    .optional()
    .meta({ description: 'Days until the key ends; it does not end when left out', example: 365 }),
  proof: proof.optional(),
});

export const createApiKeyContract = defineContract({
  id: 'createApiKey',
  method: 'POST',
  path: '/api/api-keys/create',
  tag: 'api-keys',
  summary:
    'Create an API key: the wallet’s with a proof, the tenant’s with a key of it, else one of its own. It is shown once, in this answer.',
  access: [{ kind: 'public' }, { kind: 'api_key', scope: null }],
  rateLimit: 'create_key',
  idempotent: true,
  body: createApiKeyBody,
  responses: {
    201: z.lazy(() =>
      z.object({
        id: keyId,
        api_key: z.string().meta({ description: 'The key itself; store it now, it is never shown again' }),
        prefix,
        wallet_verified: verified,
        scopes: z.array(scope),
        created_at: instant,
        expires_at: instant.nullable(),
      }),
    ),
  },
  errors: ['forbidden', 'service_unavailable', 'ledger_unavailable', 'invalid_proof', 'limit_reached'],
});

export const listApiKeysContract = defineContract({
  id: 'listApiKeys',
  method: 'GET',
  path: '/api/api-keys/list/{wallet_address}',
  tag: 'api-keys',
  summary: 'List the API keys of a wallet, newest first; names and scopes only for a key of their tenant',
  access: [{ kind: 'public' }, { kind: 'api_key', scope: null }],
  rateLimit: 'read',
  params,
  query: z.strictObject(cursorQuery),
  responses: { 200: keyPage },
});

export const listProvenApiKeysContract = defineContract({
  id: 'listProvenApiKeys',
  method: 'POST',
  path: '/api/api-keys/list/{wallet_address}',
  tag: 'api-keys',
  summary: 'List a wallet’s own API keys with names and scopes; each page needs a proof',
  access: [{ kind: 'public' }],
  rateLimit: 'write',
  params,
  query: z.strictObject(cursorQuery),
  body: z.strictObject({ proof }),
  responses: { 200: keyPage },
  errors: ['invalid_proof', 'ledger_unavailable', 'service_unavailable'],
});

export const revokeApiKeyBody = z
  .strictObject({
    api_key: z.string().min(1).max(128).regex(NO_ZERO, ZERO_FAULT).optional().meta({ description: 'The key itself' }),
    key_id: givenKeyId.optional().meta({ description: 'Its id, with a proof of the wallet that it belongs to' }),
    proof: proof.optional(),
  })
  .superRefine((body, ctx) => {
    const fault = (field: keyof typeof body, message: string) =>
      ctx.addIssue({ code: 'custom', path: [field], message, input: undefined });
    if (body.api_key !== undefined) {
      if (body.key_id !== undefined) fault('key_id', 'must be left out where `api_key` is given');
      if (body.proof !== undefined) fault('proof', 'must be left out where `api_key` is given');
    } else if (body.key_id !== undefined && body.proof === undefined) {
      fault(
        'proof',
        'is required with `key_id`: sign a challenge with the action `revoke_key` and this `key_id` (POST /api/api-keys/challenge), or give `api_key` instead',
      );
    } else if (body.key_id === undefined) {
      fault(
        body.proof === undefined ? 'api_key' : 'key_id',
        body.proof === undefined
          ? 'is required: give the key itself, or its `key_id` with a `proof` of its wallet'
          : 'is required with `proof`: it says which key of the wallet is revoked',
      );
    }
  })
  .meta(exactlyOne(['api_key'], ['key_id', 'proof']));

export const revokeApiKeyContract = defineContract({
  id: 'revokeApiKey',
  method: 'POST',
  path: '/api/api-keys/revoke',
  tag: 'api-keys',
  summary:
    'Revoke an API key, by itself or by its id and a proof of its wallet. Revoking it again gives the same answer.',
  access: [{ kind: 'public' }],
  rateLimit: 'write',
  body: revokeApiKeyBody,
  responses: { 200: z.lazy(() => z.object({ id: keyId, revoked_at: instant })) },
  errors: ['not_found', 'invalid_proof', 'ledger_unavailable', 'service_unavailable'],
});
