import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newToken } from '#lib/accounts/administrators/command.ts';
import { formatEntry } from '#lib/accounts/administrators/find-administrator.ts';
import { applyEnv } from '#lib/base/env.ts';
import { testEnv } from '#tests/support/env.ts';
import { checkToken, REFUSALS_PER_MINUTE } from '../../../app/(site)/operator/login/refusals.ts';
import { sessionCookie } from '../../../app/(site)/operator/session-cookie.ts';

const NOW_MS = Date.UTC(2026, 10, 21);
beforeAll(() => void applyEnv(testEnv()));
afterAll(() => void applyEnv(testEnv()));

test('the right token signs in however many wrong ones came from its address', () => {
  const { token, tokenHash } = newToken(randomBytes);
  applyEnv(testEnv({ ADMIN_TOKENS: formatEntry({ name: 'alice', role: 'operator', tokenHash }) }));
  const sent = (text: unknown) => checkToken(text, '203.0.113.7', NOW_MS, randomBytes);
  for (let tries = 0; tries < REFUSALS_PER_MINUTE; tries++) {
    expect(sent(`wrong ${tries}`)).toEqual({ fault: 'This is no administrator’s token.', isLogged: true });
  }
  // Beyond that a wrong one is told so, and fills no log.
  expect(sent('wrong')).toEqual({ fault: expect.stringContaining('Many wrong ones'), isLogged: false });
  expect(sent(token)).toEqual({ session: expect.any(String) });
  for (const text of [null, undefined, 7, '', 'x'.repeat(10_000), tokenHash])
    expect(sent(text)).toHaveProperty('fault');
});

test('over https the session is a cookie that a browser takes from this very host only', () => {
  applyEnv(testEnv({ BASE_URL: 'https://tranche.example' }));
  const { name, attributes } = sessionCookie();
  expect(name).toMatch(/^__Host-/);
  // What browsers ask of such a cookie: Secure, the path /, and no Domain.
  expect(attributes).toEqual({ httpOnly: true, sameSite: 'strict', secure: true, path: '/' });
});
