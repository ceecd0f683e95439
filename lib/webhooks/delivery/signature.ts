import { createHmac } from 'node:crypto';
import { standardKey } from '#lib/webhooks/secret.ts';

/** Lowercase hex HMAC-SHA-256 of the body, keyed with the whole secret text as UTF-8 (specification 6.3, design section 6). */
export const platformSignature = (body: string, secret: string): string =>
  createHmac('sha256', secret).update(body).digest('hex');

/** `v1,` and base64 HMAC-SHA-256 of `id.timestamp.body`, keyed with the decoded secret (Standard Webhooks). */
export function standardSignature(id: string, timestampSeconds: number, body: string, secret: string): string {
  const mac = createHmac('sha256', standardKey(secret)).update(`${id}.${timestampSeconds}.${body}`);
  return `v1,${mac.digest('base64')}`;
}

/**
 * The headers that let a receiver verify an event. The event's id is the message id: it stays the same over all
 * attempts, so a receiver can drop what it has seen; the time is the attempt's own, which limits replay. While a rotation
 * is under way `webhook-signature` carries both keys, and `x-platform-signature`, which can carry one, the older one.
 */
export function signatureHeaders(message: {
  eventId: string;
  body: string;
  secret: string;
  /** The other one of a rotation that is under way. */
  nextSecret: string | null;
  attemptedAtMs: number;
}): Record<string, string> {
  const timestampSeconds = Math.floor(message.attemptedAtMs / 1000);
  const secrets = message.nextSecret === null ? [message.secret] : [message.secret, message.nextSecret];
  return {
    'x-platform-signature': platformSignature(message.body, message.secret),
    'webhook-id': message.eventId,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': secrets
      .map((secret) => standardSignature(message.eventId, timestampSeconds, message.body, secret))
      .join(' '),
  };
}
