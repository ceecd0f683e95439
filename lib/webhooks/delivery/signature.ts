import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { openSecret, standardKey } from '#lib/webhooks/secret.ts';
import type { Claimed } from './claim.ts';

const mac = (key: KeyObject, text: string) => createHmac('sha256', key).update(text);
const platformKey = (secret: string): KeyObject => createSecretKey(secret, 'utf8');

const platformValue = (key: KeyObject, body: string): string => mac(key, body).digest('hex');
const standardValue = (key: KeyObject, id: string, timestampSeconds: number, body: string): string =>
  `v1,${mac(key, `${id}.${timestampSeconds}.${body}`).digest('base64')}`;

/** Lowercase hex HMAC-SHA-256 of the body, keyed with the whole secret text as UTF-8 (docs/webhooks.md#verify). */
export const platformSignature = (body: string, secret: string): string => platformValue(platformKey(secret), body);

/** `v1,` and base64 HMAC-SHA-256 of `id.timestamp.body`, keyed with the decoded secret (Standard Webhooks). */
export const standardSignature = (id: string, timestampSeconds: number, body: string, secret: string): string =>
  standardValue(createSecretKey(standardKey(secret)), id, timestampSeconds, body);

/** The secrets of a webhook; `nextSecret` is the other one of a rotation that is under way. */
export interface Secrets {
  secret: string;
  nextSecret: string | null;
}

/** One sending of an event. */
export interface Message {
  eventId: string;
  body: string;
  attemptedAtMs: number;
}

/** Gives the headers that let a receiver verify an event. */
export type Signer = (message: Message) => Record<string, string>;

/**
 * The event's id is the message id: it stays the same over all attempts, so a receiver can drop what it has seen; the time is
 * the attempt's own, which limits replay. While a rotation is under way `webhook-signature` carries both keys, and
 * `x-platform-signature`, which can carry one, the older one. Keys are prepared once: that costs more than a signature.
 */
export function signerOf({ secret, nextSecret }: Secrets): Signer {
  const key = platformKey(secret);
  const standardKeys = (nextSecret === null ? [secret] : [secret, nextSecret]).map((each) =>
    createSecretKey(standardKey(each)),
  );
  return ({ eventId, body, attemptedAtMs }) => {
    const timestampSeconds = Math.floor(attemptedAtMs / 1000);
    return {
      'x-platform-signature': platformValue(key, body),
      'webhook-id': eventId,
      'webhook-timestamp': String(timestampSeconds),
      'webhook-signature': standardKeys.map((each) => standardValue(each, eventId, timestampSeconds, body)).join(' '),
    };
  };
}

/** The headers of one message alone. */
export const signatureHeaders = (message: Message & Secrets): Record<string, string> => signerOf(message)(message);

/** Signers of webhooks, opened once a slice: a secret that changed meanwhile is sealed anew, and so another one. */
export class Signers {
  readonly #opened = new Map<string, Signer>();

  /** Throws when a secret cannot be opened. */
  of({
    webhookId,
    sealedSecret,
    nextSealedSecret,
  }: Pick<Claimed, 'webhookId' | 'sealedSecret' | 'nextSealedSecret'>): Signer {
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
