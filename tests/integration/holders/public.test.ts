import { afterAll, beforeAll, expect, test } from 'vitest';
import { responseCache } from '#lib/api/response-cache.ts';
import { syncHolders } from '#lib/jobs/sync-holders.ts';
import { addProject, grant, openStage, type Stage } from './stage.ts';

type Handler = (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>;
interface Listed {
  holders: { rank: number; account: string; balance: string; share: number }[];
  next_cursor: string | null;
}

const HOLDERS = 25;
const PROJECT = 'proj_0000000000000000000001';
let stage: Stage;
beforeAll(async () => {
  stage = await openStage(HOLDERS);
  // 10 + n, and every fifth holds as much as the one before.
  await grant(
    stage,
    stage.holders.map((_, n) => [n, String(10 + (n % 5 === 4 ? n - 1 : n))] as const),
  );
});
afterAll(() => stage.end());

async function get(route: () => Promise<{ GET: Handler }>, query: string, headers: Record<string, string> = {}) {
  const { GET } = await route();
  const response = await GET(new Request(`http://127.0.0.1:3000/?${query}`, { headers }), {
    params: Promise.resolve({}),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}
/** The process keeps an answer for a second; a test does not wait for that. */
const anew = () => responseCache().forget();
const stats = (query = '', headers = {}) =>
  get(() => import('../../../app/api/cron/holder-stats/route.ts'), query, headers);
const list = (query = '') => get(() => import('../../../app/api/holders/route.ts'), query);
const history = (query = '') => get(() => import('../../../app/api/holders/history/route.ts'), query);
const NAME = () => `DMO.${stage.issuer.address}`;

test('before the first synchronisation every address answers 404 with advice', async () => {
  for (const answer of [await stats(), await list(), await history()]) {
    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found', detail: expect.stringMatching(/hour/) } });
  }
});

test('statistics carry an ETag that stays until the next snapshot', async () => {
  await syncHolders(stage.ctx);
  const first = await stats();
  expect(first).toMatchObject({ status: 200, body: { token: NAME(), holders: HOLDERS, change: null } });
  expect(first.headers.get('cache-control')).toBe('public, max-age=60');
  const etag = first.headers.get('etag') ?? '';
  expect(await stats('', { 'if-none-match': etag })).toMatchObject({ status: 304, body: null });
  stage.ctx.clock.advance(3_600_000);
  await syncHolders(stage.ctx);
  anew();
  expect(await stats('', { 'if-none-match': etag })).toMatchObject({ status: 200, body: { change: { added: 0 } } });
});

test('a token is named by itself, by its project, or by the setting; a wrong one says how', async () => {
  await addProject(stage, { id: PROJECT, distributor: stage.issuer.address });
  await addProject(stage, { id: PROJECT.replace(/1$/, '2'), distributor: stage.issuer.address, status: 'draft' });
  for (const query of [`token=${NAME()}`, `project_id=${PROJECT}`, '']) {
    expect(await stats(query)).toMatchObject({ status: 200, body: { token: NAME() } });
  }
  stage.set({ PLATFORM_TOKEN: '' });
  anew();
  expect(await stats(), 'the only one that there is').toMatchObject({ status: 200, body: { token: NAME() } });
  stage.set({});
  expect(await stats(`token=USD.${stage.issuer.address}`)).toMatchObject({ status: 404 });
  expect(await stats(`project_id=${PROJECT.replace(/1$/, '2')}`)).toMatchObject({
    status: 404,
    body: { code: 'project_not_found' },
  });
  for (const query of ['token=XRP', 'token=DMO', 'project_id=7', `project_id=${PROJECT}&token=${NAME()}`, 'tokn=1']) {
    const { status, body } = await stats(query);
    expect({ status, fields: body.errors.map(({ field }: { field: string }) => field) }, query).toEqual({
      status: 400,
      fields: [expect.stringMatching(/^(token|project_id|tokn)$/)],
    });
  }
});

test('the list of holders pages through all of them in order, equals share a rank, and shares are of the whole', async () => {
  const all: Listed['holders'] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { status, body }: { status: number; body: Listed } = await list(`limit=7${cursor && `&cursor=${cursor}`}`);
    expect(status).toBe(200);
    all.push(...body.holders);
    cursor = body.next_cursor;
  }
  expect(new Set(all.map(({ account }) => account))).toEqual(new Set(stage.holders.map(({ address }) => address)));
  const balances = all.map(({ balance }) => Number(balance));
  expect(balances).toEqual(balances.toSorted((a, b) => b - a));
  expect(all.map(({ rank }) => rank)).toEqual(balances.map((each) => balances.indexOf(each) + 1));
  const supply = balances.reduce((sum, each) => sum + each, 0);
  expect(all.map(({ share }) => share)).toEqual(balances.map((each) => Math.round((each / supply) * 1e6) / 1e6));
});

test('a cursor of an earlier snapshot is gone, one of another list is refused', async () => {
  const { body } = await list('limit=3');
  await syncHolders(stage.ctx);
  anew();
  expect(await list(`cursor=${body.next_cursor}`)).toMatchObject({ status: 410, body: { code: 'gone' } });
  expect(await list('cursor=abc')).toMatchObject({ status: 400, body: { errors: [{ field: 'cursor' }] } });
  const { body: snapshots } = await history('limit=1');
  expect(await list(`cursor=${snapshots.next_cursor}`)).toMatchObject({ status: 400 });
});

test('the history shows every snapshot once, newest first', async () => {
  const found: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { body } = await history(`limit=2${cursor && `&cursor=${cursor}`}`);
    found.push(...body.snapshots.map(({ synced_at }: { synced_at: string }) => synced_at));
    cursor = body.next_cursor;
  }
  expect(found).toHaveLength(3);
  expect(found).toEqual([...new Set(found)].toSorted().reverse());
  const { body } = await stats();
  expect(found[0]).toBe(body.synced_at);
});
