import { createHash, createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { applyEnv } from '#lib/base/env.ts';
import { createQueue } from '#lib/base/queue.ts';
import { testEnv } from '#tests/support/env.ts';

const BASE = 'https://sale.example';
const PATH = '/api/queue/deliver';
const BODY = '{"delivery_id":"del_1","attempt":1}';
/** Anybody knows it: the QStash development server signs with it. */
const PUBLIC_KEY = 'sig_7kYjw48mhY7kAjqNGcy6cr29RJ6r';

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A signature as QStash makes it, with claims changed. */
function sign({
  key = 'sig_current',
  body = BODY,
  algorithm = 'HS256',
  ...claims
}: Record<string, unknown> = {}): string {
  const now = Math.floor(Date.now() / 1000);
  const head = part({ alg: algorithm, typ: 'JWT' });
  const claim = part({
    iss: 'Upstash',
    sub: `${BASE}${PATH}`,
    exp: now + 300,
    nbf: now,
    iat: now,
    jti: 'jwt_1',
    body: createHash('sha256').update(String(body)).digest('base64url'),
    ...claims,
  });
  const seal =
    algorithm === 'none' ? '' : createHmac('sha256', String(key)).update(`${head}.${claim}`).digest('base64url');
  return `${head}.${claim}.${seal}`;
}

beforeEach(() => applyEnv(testEnv({ BASE_URL: BASE, WEBHOOK_ALLOW_LOOPBACK: '0' })));
afterEach(() => void vi.unstubAllEnvs());

const takes = (signature: string, body = BODY, path = PATH) => createQueue().verify(signature, body, path);
const hoursAgo = (hours: number) => Math.floor(Date.now() / 1000) - hours * 3600;

describe('the signature of a QStash callback', () => {
  test('is taken for its own address and body, under the current and the next key', async () => {
    expect(await takes(sign())).toBe(true);
    expect(await takes(sign({ key: 'sig_next' }))).toBe(true);
  });

  test.each([
    ['another route', sign({ sub: `${BASE}/api/queue/continue` })],
    ['another host', sign({ sub: `https://other.example${PATH}` })],
    ['no address', sign({ sub: '' })],
    ['another body', sign({ body: '{}' })],
    ['another issuer', sign({ iss: 'Somebody' })],
    ['a time that is over', sign({ nbf: hoursAgo(2), iat: hoursAgo(2), exp: hoursAgo(1) })],
    ['a time to come', sign({ nbf: hoursAgo(-1) })],
    ['a key that is not ours', sign({ key: 'sig_forged' })],
    ['no key at all', sign({ algorithm: 'none' })],
    ['nothing', ''],
  ])('forged, for %s, is refused', async (_, signature) => {
    expect(await takes(signature)).toBe(false);
  });

  test('in a JWT for another route is refused', async () => {
    expect(await takes(sign(), BODY, '/api/queue/continue')).toBe(false);
  });

  test('by the public development key is refused in production also with QSTASH_DEV=1', async () => {
    vi.stubEnv('QSTASH_DEV', '1');
    vi.stubEnv('NODE_ENV', 'production');
    expect(await takes(sign({ key: PUBLIC_KEY }))).toBe(false);
    expect(await takes(sign())).toBe(true);
  });

  test('that comes twice is taken twice: what it asks for is done once by the verbs themselves', async () => {
    const signature = sign();
    expect(await takes(signature)).toBe(true);
    expect(await takes(signature)).toBe(true);
  });
});
