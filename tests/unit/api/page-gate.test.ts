import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyEnv } from '#lib/base/env.ts';
import { testEnv } from '#tests/support/env.ts';
import { proxy } from '../../../proxy.ts';

beforeAll(() => void applyEnv(testEnv()));
afterAll(() => void applyEnv(testEnv()));

const ask = async (path: string, from: string) =>
  proxy(new Request(`http://127.0.0.1:3000${path}`, { headers: { 'x-forwarded-for': from } }));

test('pages are 600 a minute and caller, then a page that says in plain words when to come back; others read on', async () => {
  for (let n = 0; n < 600; n += 1) expect((await ask(`/sales/s${n}`, '203.0.113.7'))?.status).toBe(200);
  const refused = await ask('/', '203.0.113.7');
  expect(refused?.status).toBe(429);
  expect(refused?.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const seconds = Number(refused?.headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(60);
  expect(await refused?.text()).toContain(`Wait ${seconds} seconds`);
  expect((await ask('/', '203.0.113.8'))?.status).toBe(200);
  // The interface counts its own requests.
  expect(await ask('/api/projects%20', '203.0.113.7')).toBeUndefined();
});
