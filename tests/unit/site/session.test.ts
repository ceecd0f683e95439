import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSession, readSession, SESSION_SECONDS } from '#lib/accounts/administrators/session.ts';
import { applyEnv } from '#lib/base/env.ts';
import { sha256Hex } from '#lib/base/secretbox.ts';
import { testEnv } from '#tests/support/env.ts';
import { registerSecrets } from '#tests/support/secrets.ts';

const TOKEN = randomBytes(32).toString('base64url');
const OTHER = randomBytes(32).toString('base64url');
registerSecrets(TOKEN, OTHER);
const NOW_MS = Date.UTC(2026, 10, 21);
const entry = (name: string, role: string, token: string) => `${name}:${role}:${sha256Hex(token)}`;
const force = (tokens: string) => applyEnv(testEnv({ ADMIN_TOKENS: tokens }));

beforeAll(() => force(entry('alice', 'operator', TOKEN)));
afterAll(() => applyEnv(testEnv()));

const session = (token = TOKEN): string => {
  const opened = openSession(token, NOW_MS, randomBytes);
  if (opened === null) throw new Error('no session');
  return opened;
};

describe('a session of the console', () => {
  it('is opened by an administrator’s token only', () => {
    expect(openSession(OTHER, NOW_MS, randomBytes)).toBeNull();
    expect(openSession('', NOW_MS, randomBytes)).toBeNull();
    expect(readSession(session(), NOW_MS)).toEqual({ kind: 'administrator', name: 'alice', role: 'operator' });
  });

  it('holds neither the token nor its hash in the clear', () => {
    const cookie = session();
    expect(cookie).not.toContain(TOKEN);
    expect(Buffer.from(cookie.split('.')[2] ?? '', 'base64url').toString('latin1')).not.toContain(sha256Hex(TOKEN));
  });

  it('ends after a working day', () => {
    const cookie = session();
    expect(readSession(cookie, NOW_MS + SESSION_SECONDS * 1000 - 1)).not.toBeNull();
    expect(readSession(cookie, NOW_MS + SESSION_SECONDS * 1000)).toBeNull();
  });

  it('ends at once when its token is taken out of the settings, and follows a change of role', () => {
    const cookie = session();
    force(entry('alice', 'read_only', TOKEN));
    expect(readSession(cookie, NOW_MS)).toMatchObject({ role: 'read_only' });
    force(entry('bob', 'operator', OTHER));
    expect(readSession(cookie, NOW_MS)).toBeNull();
    force(entry('alice', 'operator', TOKEN));
  });

  it('is worth nothing when a byte of it is another, or when it was sealed for something else', () => {
    const cookie = session();
    const [key = '', nonce = '', body = ''] = cookie.split('.');
    const altered = Buffer.from(body, 'base64url');
    altered[0] = (altered[0] ?? 0) ^ 1;
    expect(readSession([key, nonce, altered.toString('base64url')].join('.'), NOW_MS)).toBeNull();
    for (const text of ['', 'x', 'a.b.c', `${cookie}x`.slice(1)]) expect(readSession(text, NOW_MS)).toBeNull();
  });
});
