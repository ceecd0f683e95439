import { afterAll, beforeAll, expect, it } from 'vitest';
import { responseCache } from '#lib/api/response-cache.ts';
import { applyEnv } from '#lib/base/env.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { testEnv } from '#tests/support/env.ts';
import { addRows, changeRows } from '#tests/support/rows.ts';
import { DEPOSIT, seedSale } from '#tests/support/sale.ts';
import { GET } from '../../../app/api/projects/[id]/terms/route.ts';

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
  applyEnv(testEnv({ POSTGRES_URL: database.url }));
});
afterAll(() => database?.close());

it('terms may be kept for good once a launch has anchored them, and before that for a second', async () => {
  const { projectId } = await seedSale(database.db);
  const ask = (headers: Record<string, string> = {}) =>
    GET(new Request(`http://127.0.0.1/api/projects/${projectId}/terms`, { headers }), {
      params: Promise.resolve({ id: projectId }),
    });
  const draft = await ask();
  expect(draft.headers.get('cache-control')).toBe('public, max-age=1, stale-while-revalidate=5');
  const { canonical, sha256 } = (await draft.json()) as { canonical: string; sha256: string };
  await changeRows(database.db, 'projects', { id: projectId }, { terms: canonical, termsHash: sha256 });
  await addRows(database.db, 'actions', {
    txHash: 'D'.repeat(64),
    account: DEPOSIT,
    projectId,
    action: 'launch',
    termsHash: sha256,
    status: 'applied',
    ledgerIndex: 101,
    transactionIndex: 0,
    closedAt: new Date(),
  });
  // The process itself keeps the draft's answer for its second.
  responseCache().forget();
  const launched = await ask({ 'if-none-match': draft.headers.get('etag') ?? '' });
  expect(launched.status).toBe(200);
  expect(launched.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  const again = await ask({ 'if-none-match': launched.headers.get('etag') ?? '' });
  expect(again.status).toBe(304);
  expect(again.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
});
