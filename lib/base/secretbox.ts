import { createCipheriv, createDecipheriv, createHash, timingSafeEqual } from 'node:crypto';
import { env } from './env.ts';
import type { RandomBytes } from './ids.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

function keyById(keyId: string): Buffer {
  const entry = env().WEBHOOK_ENCRYPTION_KEYS.find((candidate) => candidate.startsWith(`${keyId}:`));
  if (entry === undefined) throw new Error(`No encryption key with id ${keyId}`);
  return Buffer.from(entry.slice(keyId.length + 1), 'base64');
}

/** The id of the key that seals; the others of the settings only open. */
export const newestKeyId = (): string => (env().WEBHOOK_ENCRYPTION_KEYS[0] ?? '').split(':')[0] ?? '';

/**
 * Encrypts `text` with AES-256-GCM under the newest key. `context` is authenticated with it, so a sealed secret
 * cannot be moved to another row. Form: `keyId.nonce.ciphertext+tag` in base64url.
 */
export function seal(text: string, context: string, random: RandomBytes): string {
  const keyId = newestKeyId();
  const nonce = random(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyById(keyId), nonce);
  cipher.setAAD(Buffer.from(context));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return [keyId, Buffer.from(nonce).toString('base64url'), sealed.toString('base64url')].join('.');
}

/** Opens what `seal` made for the same context; throws when it was altered, moved or its key is gone. */
export function unseal(sealed: string, context: string): string {
  const [keyId = '', nonce = '', body = ''] = sealed.split('.');
  const bytes = Buffer.from(body, 'base64url');
  // Without the length Node takes a tag of four bytes for a whole one, and four bytes can be guessed.
  const decipher = createDecipheriv('aes-256-gcm', keyById(keyId), Buffer.from(nonce, 'base64url'), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(0, bytes.length - TAG_BYTES)), decipher.final()]).toString(
    'utf8',
  );
}

export const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Constant-time comparison of two texts of any length: both are hashed first, so length tells nothing. */
export const constantTimeEqual = (a: string, b: string): boolean =>
  timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest());
