import type { RandomBytes } from '#lib/base/ids.ts';
import { seal, unseal } from '#lib/base/secretbox.ts';

const SECRET_BYTES = 32;
const SECRET_PREFIX = 'whsec_';

/** A new signing secret, `whsec_` and base64 of 32 random bytes. Shown once. */
export const newSecret = (random: RandomBytes): string =>
  SECRET_PREFIX + Buffer.from(random(SECRET_BYTES)).toString('base64');

/** Encrypts a secret for its row; the webhook's id is authenticated with it, so it opens for no other webhook. */
export const sealSecret = (secret: string, webhookId: string, random: RandomBytes): string =>
  seal(secret, webhookId, random);

/** Opens what `sealSecret` made for the same webhook. Throws when it was altered or its key is gone. */
export const openSecret = (sealed: string, webhookId: string): string => unseal(sealed, webhookId);

/** The key of the Standard Webhooks signature: the decoded part after `whsec_`. */
export const standardKey = (secret: string): Buffer => Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
