import { z } from 'zod';
import { SCOPES } from '#lib/base/contract.ts';
import { idPattern } from '#lib/base/ids.ts';
import { visibleName } from '#lib/base/plain-text.ts';
import { PROVABLE_ACTIONS } from './challenge-text.ts';

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

/** Hexadecimal in either case, because tools differ; a 33-byte key, an Ed25519 signature or a DER-coded ECDSA one. */
export const proof = z
  .strictObject({
    challenge_id: z
      .string()
      .regex(idPattern('chl'), 'must be the id of a challenge (chl_…)')
      .meta({ description: '`id` of the challenge', example: 'chl_4qUZk0r2bJ8sVd1mX7nTqL' }),
    public_key: z
      .string()
      .regex(
        /^(?:[Ee][Dd]|02|03)[0-9A-Fa-f]{64}$/,
        'must be a public key of 33 bytes in hexadecimal, beginning with ED, 02 or 03',
      )
      .meta({ description: 'Public key that signed: the wallet’s master key or its current regular key' }),
    signature: z
      .string()
      .regex(/^(?:[0-9A-Fa-f]{2}){8,72}$/, 'must be a signature in hexadecimal')
      .meta({ description: 'Signature over the UTF-8 bytes of the challenge’s `message`' }),
  })
  .meta({ description: 'Shows that a wallet’s key signed a challenge. A challenge is good for one try.' });

/** What anyone may know of a key; the last two only who proved to own it. */
export const listedKey = z.object({
  id: keyId,
  prefix,
  wallet_verified: verified,
  created_at: instant,
  expires_at: instant.nullable(),
  last_used_at: instant.nullable(),
  revoked_at: instant.nullable(),
  name: z.string().nullable().optional().meta({ description: 'Only for a key or proof of its tenant' }),
  scopes: z.array(scope).optional().meta({ description: 'Only for a key or proof of its tenant' }),
});
