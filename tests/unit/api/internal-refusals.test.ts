import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { newApiKey } from '#lib/accounts/api-keys/authenticate-api-key.ts';
import { REFUSALS_PER_MINUTE } from '#lib/api/guards.ts';
import { applyEnv } from '#lib/base/env.ts';
import { TEST_CRON_SECRET, testEnv } from '#tests/support/env.ts';
import * as cronRoute from '../../../app/api/cron/sync-holders/route.ts';
import * as queueRoute from '../../../app/api/queue/deliver/route.ts';

let caller = 0;
let address = '';
beforeEach(() => {
  // The database is nowhere: a look-up is an internal error.
  applyEnv(testEnv());
  caller += 1;
  address = `192.0.2.${caller}`;
});

const noParams = { params: Promise.resolve(undefined) };
const headersOf = (token: string, from = address) => ({ authorization: `Bearer ${token}`, 'x-forwarded-for': from });
const cron = (token: string, from = address) =>
  cronRoute.GET(
    new Request('http://127.0.0.1:3000/api/cron/sync-holders', { headers: headersOf(token, from) }),
    noParams,
  );
const queue = () =>
  queueRoute.POST(
    new Request('http://127.0.0.1:3000/api/queue/deliver', {
      method: 'POST',
      headers: { 'upstash-signature': 'x', 'x-forwarded-for': address },
      body: '{}',
    }),
    noParams,
  );

async function useUpRefusals() {
  for (let n = 1; n <= REFUSALS_PER_MINUTE; n += 1) expect((await cron('wrong')).status).toBe(401);
}

describe('refused credentials on internal operations', () => {
  test('are 60 a minute and caller, then 429 with Retry-After', async () => {
    await useUpRefusals();
    const answer = await cron('wrong');
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await answer.json()).toMatchObject({ code: 'rate_limited' });
    expect((await cron('wrong', '198.51.100.1')).status).toBe(401);
  });

  test('count for all internal operations together, signed callbacks among them', async () => {
    for (let n = 1; n <= REFUSALS_PER_MINUTE; n += 1) expect((await queue()).status).toBe(401);
    expect((await cron('wrong')).status).toBe(429);
    expect((await queue()).status).toBe(429);
  });

  test('cost no look-up of an API key once they are too many', async () => {
    const apiKey = newApiKey('test', randomBytes);
    expect((await cron(apiKey)).status).toBe(503);
    await useUpRefusals();
    expect((await cron(apiKey)).status).toBe(429);
  });

  test('do not stop the scheduler, whose address anybody may write into a header', async () => {
    await useUpRefusals();
    // It is let in, and its work wants the database.
    expect((await cron(TEST_CRON_SECRET)).status).toBe(503);
  });
});
