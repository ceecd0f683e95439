import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Whether `signature` is the lowercase hexadecimal HMAC-SHA-256 of the raw body, keyed with the whole secret string
 * (docs/webhooks.md#verify). Compared in constant time.
 */
export function verifySignature(rawBody: Buffer, signature: string | undefined, secret: string): boolean {
  const expected = Buffer.from(createHmac('sha256', secret).update(rawBody).digest('hex'));
  const given = Buffer.from(signature ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
