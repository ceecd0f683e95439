import { createHmac, randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { beforeAll, describe, expect, test } from 'vitest';
import { applyEnv } from '#lib/base/env.ts';
import { seal, unseal } from '#lib/base/secretbox.ts';
import { type Secrets, signerOf } from '#lib/webhooks/delivery/send.ts';
import { newSecret } from '#lib/webhooks/secret.ts';
import { testEnv } from '#tests/support/env.ts';

beforeAll(() => applyEnv(testEnv()));

const body = '{"event_type":"investment.created","data":{"name":"é🪙\\u0000"}}';

const headersOf = (secrets: Secrets, attemptedAtMs = Date.now(), text = body) =>
  signerOf(secrets)({ eventId: 'evt_1', body: text, attemptedAtMs });

describe('a signature', () => {
  test('is the lowercase hex HMAC-SHA-256 of the body, keyed with the whole secret text', () => {
    const secret = newSecret(randomBytes);
    const expected = createHmac('sha256', Buffer.from(secret, 'utf8')).update(Buffer.from(body, 'utf8')).digest('hex');
    expect(headersOf({ secret, nextSecret: null })['x-platform-signature']).toBe(expected);
    expect(expected).toMatch(/^[0-9a-f]{64}$/);
  });

  test('has the value that another implementation computed', () => {
    const hex = 'be82b4032f683bd9abd5e7d6e03c84fff89c5d2219dad97a6c3130bcab2a28d1';
    const headers = headersOf({ secret: 'whsec_AAAA', nextSecret: null }, Date.now(), '{}');
    expect(headers['x-platform-signature']).toBe(hex);
  });

  test('is accepted by the standardwebhooks package, and by none that has another secret or body', () => {
    const secret = newSecret(randomBytes);
    const headers = headersOf({ secret, nextSecret: null });
    expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
    expect(() => new Webhook(newSecret(randomBytes)).verify(body, headers)).toThrow();
  });

  test('carries the time of its attempt, so an old one is refused as a replay', () => {
    const secret = newSecret(randomBytes);
    const headers = headersOf({ secret, nextSecret: null }, Date.now() - 600_000);
    expect(() => new Webhook(secret).verify(body, headers)).toThrow(/timestamp/i);
  });

  test('carries both keys while a rotation is under way, the older one first and alone where only one has room', () => {
    const [secret, nextSecret] = [newSecret(randomBytes), newSecret(randomBytes)];
    const attemptedAtMs = Date.now();
    const headers = headersOf({ secret, nextSecret }, attemptedAtMs);
    for (const known of [secret, nextSecret]) expect(() => new Webhook(known).verify(body, headers)).not.toThrow();
    expect(() => new Webhook(newSecret(randomBytes)).verify(body, headers)).toThrow();
    const before = headersOf({ secret, nextSecret: null }, attemptedAtMs);
    expect(headers['x-platform-signature']).toBe(before['x-platform-signature']);
    expect(headers['webhook-signature']).toMatch(/^v1,[A-Za-z0-9+/]{43}= v1,[A-Za-z0-9+/]{43}=$/);
    expect(headers['webhook-signature']?.split(' ')[0]).toBe(before['webhook-signature']);
  });
});

describe('a secret', () => {
  test('is whsec_ and base64 of 32 bytes', () => {
    const secret = newSecret(randomBytes);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
  });

  test('opens for its own webhook only', () => {
    const secret = newSecret(randomBytes);
    const sealed = seal(secret, 'wh_a', randomBytes);
    expect(sealed).not.toContain(secret.slice(6, 20));
    expect(unseal(sealed, 'wh_a')).toBe(secret);
    expect(() => unseal(sealed, 'wh_b')).toThrow();
  });
});
