import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import * as deliveriesRoute from '../../../app/api/webhooks/[id]/deliveries/route.ts';
import { call } from './call.ts';
import { dispatching } from './dispatching.ts';
import { newWebhook, reportInvestments } from './stage.ts';

const URL = 'https://desk.receiver.example.com/hook';
const desk = dispatching({ RATE_LIMIT_SCALE: '1000' });
let apiKey: string;
let params: { id: string };

beforeEach(async () => {
  const { developer, webhook } = await newWebhook(desk.stage.ctx, URL);
  apiKey = developer.apiKey;
  params = { id: webhook.id };
});

const list = (query: string) => call(deliveriesRoute, 'GET', { apiKey, params, query });
const idsOf = ({ body }: { body: Record<string, unknown> }) =>
  (body.deliveries as { id: string }[]).map(({ id }) => id);
/** Spreads the deliveries over days: the first event's lies furthest back. */
const spread = () =>
  desk.stage.ctx.db.execute(sql`
    update deliveries d set created_at = timestamptz '2026-11-01T00:00:00Z' + make_interval(days => place.n::integer)
    from (select id, row_number() over (order by event_sequence) as n from deliveries) place where place.id = d.id`);

describe('the delivery log', () => {
  test('of a time holds its beginning and not its end, whatever zone it is asked in', async () => {
    await reportInvestments(desk.stage.ctx.db, 5);
    await spread();
    const all = idsOf(await list(''));
    const middle = await list('?from=2026-11-03T00:00:00Z&to=2026-11-05T00:00:00Z');
    expect(idsOf(middle)).toEqual(all.slice(2, 4));
    const elsewhere = `?from=${encodeURIComponent('2026-11-03T02:00:00+02:00')}`;
    expect(idsOf(await list(elsewhere))).toEqual(all.slice(0, 4));
    expect(idsOf(await list('?to=2026-11-02T00:00:00Z'))).toEqual([]);
  });

  test.each([
    ['?from=2026-11-05T00:00:00Z&to=2026-11-05T00:00:00Z', 'to', 'must be later than `from`'],
    ['?from=yesterday', 'from', 'must be an ISO 8601 time with a zone, such as 2026-11-21T12:00:00Z'],
    ['?to=2026-11-05', 'to', 'must be an ISO 8601 time with a zone, such as 2026-11-21T12:00:00Z'],
    ['?event_type=investment.unknown', 'event_type', expect.any(String)],
    ['?status=lost', 'status', expect.any(String)],
  ])('names what is wrong with %s', async (query, field, message) => {
    expect(await list(query)).toMatchObject({ status: 400, body: { errors: [{ field, message }] } });
  });

  test('filters by the type of event and by status, page by page', async () => {
    await reportInvestments(desk.stage.ctx.db, 6);
    await desk.stage.ctx.db.execute(sql`
      update events set type = 'investment.confirmed'
      where id in (select event_id from deliveries order by event_sequence limit 4)`);
    await desk.stage.ctx.db.execute(sql`
      update deliveries set status = 'failed' where id in (select id from deliveries order by event_sequence limit 3)`);
    const query = '?event_type=investment.confirmed&status=failed&limit=2';
    const first = await list(query);
    const second = await list(`${query}&cursor=${first.body.next_cursor}`);
    expect([idsOf(first).length, idsOf(second).length, second.body.next_cursor]).toEqual([2, 1, null]);
    expect(new Set([...idsOf(first), ...idsOf(second)]).size).toBe(3);
    expect(idsOf(await list('?event_type=project.launched'))).toEqual([]);
  });

  test('read while events come and deliveries end meets what was there once', async () => {
    await reportInvestments(desk.stage.ctx.db, 20);
    const there = idsOf(await list('?limit=200'));
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = await list(`?limit=4${cursor}`);
      seen.push(...idsOf(page));
      cursor = page.body.next_cursor === null ? '' : `&cursor=${page.body.next_cursor}`;
      await reportInvestments(desk.stage.ctx.db, 3);
      await desk.stage.ctx.db.execute(sql`update deliveries set status = 'success' where status = 'pending'`);
    } while (cursor !== '');
    expect(seen).toEqual(there);
  });

  test('goes on from no delivery of another webhook', async () => {
    await reportInvestments(desk.stage.ctx.db, 2);
    const { developer, webhook } = await newWebhook(desk.stage.ctx, URL);
    const own = await list('?limit=1');
    const stranger = { apiKey: developer.apiKey, params: { id: webhook.id } };
    await reportInvestments(desk.stage.ctx.db, 1);
    const answer = await call(deliveriesRoute, 'GET', { ...stranger, query: `?cursor=${own.body.next_cursor}` });
    expect(answer.body.deliveries).toEqual([]);
  });

  test('is nobody else’s, with deliveries in it and without, and gone with its webhook', async () => {
    const { developer } = await newWebhook(desk.stage.ctx, URL);
    const missing = { status: 404, body: { code: 'webhook_not_found' } };
    const asStranger = () => call(deliveriesRoute, 'GET', { apiKey: developer.apiKey, params });
    expect(await asStranger()).toMatchObject(missing);
    expect(await list('')).toMatchObject({ status: 200, body: { deliveries: [] } });
    await reportInvestments(desk.stage.ctx.db, 1);
    expect(await asStranger()).toMatchObject(missing);
    await desk.stage.ctx.db.execute(sql`update webhooks set deleted_at = now() where id = ${params.id}`);
    expect(await list('')).toMatchObject(missing);
  });

  test('says of each delivery what it repeats, and whether its payload is gone', async () => {
    await reportInvestments(desk.stage.ctx.db, 1);
    expect((await list('')).body.deliveries).toMatchObject([{ resend_of: null, replay_id: null, pruned: false }]);
    await desk.stage.ctx.db.execute(sql`update events set pruned_at = now(), body = ''`);
    expect((await list('')).body.deliveries).toMatchObject([{ pruned: true }]);
  });
});
