import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hostKey } from '#lib/webhooks/delivery/claim.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

test.each([
  ['http://127.0.0.1:4001/hook', '127.0.0.1:4001'],
  ['http://127.0.0.1:4001', '127.0.0.1:4001'],
  ['http://127.0.0.1:4001?a=b/c', '127.0.0.1:4001'],
  ['http://127.1.2.3/hook', '127.1.2.3'],
  ['http://localhost:4001/hook?a=b', 'localhost:4001'],
  ['http://receiver.localhost:4001/hook', 'receiver.localhost'],
  ['https://receiver.example:4001/hook', 'receiver.example'],
  ['https://127.example:4001/hook', '127.example'],
  ['https://127.0.0.1.example:4001/hook', '127.0.0.1.example'],
  ['https://128.0.0.1:4001/hook', '128.0.0.1'],
  ['https://[::1]:4001/hook', '[::1]'],
])('of webhooks at %s, those that lead to %s share the places of a host', async (url, expected) => {
  const { hostname } = new URL(url);
  const { rows } = await stage.ctx.db.execute(
    sql`select ${hostKey} as key from (select ${hostname}::text as host, ${url}::text as url) w`,
  );
  expect(rows).toEqual([{ key: expected }]);
});
