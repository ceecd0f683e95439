import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { openSecret, standardKey } from '#lib/webhooks/secret.ts';
import type { Claimed } from './claim.ts';

/** The secrets of a webhook; `nextSecret` is the other one of a rotation that is under way. */
export interface Secrets {
  secret: string;
  nextSecret: string | null;
}

/** One sending of an event. */
interface Message {
  eventId: string;
  body: string;
  attemptedAtMs: number;
}

/** Gives the headers that let a receiver verify an event. */
type Signer = (message: Message) => Record<string, string>;

const mac = (key: KeyObject, text: string) => createHmac('sha256', key).update(text);

/**
 * Signs in both ways (docs/webhooks.md#verify). `x-platform-signature` is the lowercase hex HMAC-SHA-256 of the body, keyed with
 * the whole secret text; it has room for one key, and carries the older one while a rotation is under way. `webhook-signature`
 * follows Standard Webhooks: base64 of the HMAC of `id.timestamp.body`, keyed with the decoded secret, and both keys during a
 * rotation. The event's id is the message id: it stays the same over all attempts, so a receiver can drop what it has seen; the
 * time is the attempt's own, which limits replay. Keys are prepared once: that costs more than a signature.
 */
export function signerOf({ secret, nextSecret }: Secrets): Signer {
  const platformKey = createSecretKey(secret, 'utf8');
  const standardKeys = (nextSecret === null ? [secret] : [secret, nextSecret]).map((each) =>
    createSecretKey(standardKey(each)),
  );
  return ({ eventId, body, attemptedAtMs }) => {
    const timestamp = String(Math.floor(attemptedAtMs / 1000));
    const signed = `${eventId}.${timestamp}.${body}`;
    return {
      'x-platform-signature': mac(platformKey, body).digest('hex'),
      'webhook-id': eventId,
      'webhook-timestamp': timestamp,
      'webhook-signature': standardKeys.map((key) => `v1,${mac(key, signed).digest('base64')}`).join(' '),
    };
  };
}

/** Signers of webhooks, opened once a slice: a secret that changed meanwhile is sealed anew, and so another one. */
export class Signers {
  readonly #opened = new Map<string, Signer>();

  /** Throws when a secret cannot be opened. */
  of(claimed: Pick<Claimed, 'webhookId' | 'sealedSecret' | 'nextSealedSecret'>): Signer {
    const { webhookId, sealedSecret, nextSealedSecret } = claimed;
    const key = `${webhookId} ${sealedSecret} ${nextSealedSecret}`;
    const opened = this.#opened.get(key);
    if (opened !== undefined) return opened;
    const signer = signerOf({
      secret: openSecret(sealedSecret, webhookId),
      nextSecret: nextSealedSecret === null ? null : openSecret(nextSealedSecret, webhookId),
    });
    this.#opened.set(key, signer);
    return signer;
  }
}
