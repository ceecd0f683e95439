import { z } from 'zod';
import { idPattern } from '#lib/base/ids.ts';

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
