import { afterAll, beforeAll, expect, test } from 'vitest';
import { putInForce } from '#lib/platform/env.ts';
import { testEnv } from '#tests/support/env.ts';
import { mayTry, noteRefusal, REFUSALS_PER_MINUTE } from '../../../app/(site)/operator/login/refusals.ts';
import { sessionCookie } from '../../../app/(site)/operator/session-cookie.ts';

const NOW_MS = Date.UTC(2026, 10, 21);
beforeAll(() => void putInForce(testEnv()));
afterAll(() => void putInForce(testEnv()));

test('who gave ten wrong tokens waits a minute, and nobody else does', () => {
  for (let tries = 0; tries < REFUSALS_PER_MINUTE; tries++) {
    expect(mayTry('203.0.113.7', NOW_MS + tries)).toBe(true);
    noteRefusal('203.0.113.7', NOW_MS + tries);
  }
  expect(mayTry('203.0.113.7', NOW_MS + 59_000)).toBe(false);
  expect(mayTry('203.0.113.8', NOW_MS + 59_000)).toBe(true);
  expect(mayTry('203.0.113.7', NOW_MS + 60_000)).toBe(true);
});

test('over https the session is a cookie that a browser takes from this very host only', () => {
  putInForce(testEnv({ BASE_URL: 'https://tranche.example' }));
  const { name, attributes } = sessionCookie();
  expect(name).toMatch(/^__Host-/);
  // What browsers ask of such a cookie: Secure, the path /, and no Domain.
  expect(attributes).toEqual({ httpOnly: true, sameSite: 'strict', secure: true, path: '/' });
});
