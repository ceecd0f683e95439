import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { createParser } from 'eventsource-parser';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { events } from '#drizzle/schema/events.ts';
import type { Actor } from '#lib/ctx.ts';
import { appendEvents, listFannedOut } from '#lib/events/append.ts';
import type { EventType } from '#lib/events/catalogue.ts';
import { fanOutEvents, fanOutSlice } from '#lib/webhooks/delivery/fan-out.ts';
import { listEvents, STREAMS_AT_ONCE, streamEvents } from '#lib/webhooks/events/read-events.ts';
import { pruneEvents } from '#lib/webhooks/retention/prune-events.ts';
import { sampleData } from '#lib/webhooks/testing/samples.ts';
import { START_MS } from '#tests/support/ctx.ts';
import { TEST_ADMIN_TOKEN } from '#tests/support/env.ts';
import { explainedDb } from '#tests/support/explain.ts';
import { gather } from '#tests/support/gather.ts';
import { changeRows } from '#tests/support/rows.ts';
import { seedSale } from '#tests/support/sale.ts';
import * as eventRoute from '../../../app/api/events/[id]/route.ts';
import * as eventsRoute from '../../../app/api/events/route.ts';
import * as streamRoute from '../../../app/api/events/stream/route.ts';
import * as webhookRoute from '../../../app/api/webhooks/route.ts';
import * as testRoute from '../../../app/api/webhooks/test/route.ts';
import { call } from './call.ts';
import { appendInvestments, asDeveloper, openStage, type Stage, WALLET } from './stage.ts';

let stage: Stage;
let apiKey: string;
beforeAll(async () => {
  stage = await openStage({ RATE_LIMIT_SCALE: '1000' });
});
afterAll(() => stage.close());
beforeEach(async () => {
  await stage.reset();
  apiKey = (await asDeveloper(stage.ctx)).apiKey;
});

const fanOut = () => fanOutEvents(stage.ctx, Number.POSITIVE_INFINITY);

interface Report {
  type?: EventType;
  projectId?: string | null;
  data?: object;
}

/** Reports events in one transaction each and fans them out; gives their ids. */
async function report(...reports: Report[]): Promise<string[]> {
  const occurredAt = new Date(START_MS);
  const sample = sampleData({ amountDrops: 1_000_000n, investorAccount: WALLET, now: occurredAt });
  for (const { type = 'investment.created', projectId = null, data = {} } of reports) {
    await stage.ctx.db.transaction((tx) =>
      appendEvents(tx, [
        { type, subject: randomBytes(8).toString('hex'), projectId, occurredAt, data: { ...sample[type], ...data } },
      ]),
    );
  }
  await fanOut();
  const rows = await stage.ctx.db.select({ id: events.id }).from(events).orderBy(events.sequence);
  return rows.slice(-reports.length).map(({ id }) => id);
}

interface Listed {
  events: { event_id: string; event_type: string }[];
  next_cursor: string;
  has_more: boolean;
}

const ask = (query: Record<string, string> = {}, key = apiKey) =>
  call(eventsRoute, 'GET', { apiKey: key, query: `?${new URLSearchParams(query)}` });

async function list(query: Record<string, string> = {}, key = apiKey): Promise<Listed> {
  const { status, body } = await ask(query, key);
  expect(body).toMatchObject({ events: expect.any(Array) });
  expect(status).toBe(200);
  return body as unknown as Listed;
}

const ids = ({ events: listed }: Pick<Listed, 'events'>) => listed.map(({ event_id }) => event_id);

/** Follows the cursor until nothing more is there. */
async function listAll(query: Record<string, string> = {}, key = apiKey): Promise<string[]> {
  const seen: string[] = [];
  for (let page = await list(query, key); ; page = await list({ ...query, cursor: page.next_cursor }, key)) {
    seen.push(...ids(page));
    if (!page.has_more) return seen;
  }
}

describe('a poller that follows the cursor', () => {
  test('sees every event exactly once, in the one order that all see, while transactions commit out of order', async () => {
    const { db } = stage.ctx;
    let isWriting = true;
    /** A transaction takes its numbers, is overtaken by others, and commits or dies. */
    const write = async (writer: number) => {
      for (let turn = 0; turn < 15; turn++) {
        await db
          .transaction(async (tx) => {
            await appendInvestments(tx, 1 + ((writer + turn) % 3));
            for (let waits = (writer * 7 + turn * 3) % 9; waits > 0; waits--) await tx.execute(sql`select 1`);
            if ((writer + turn) % 11 === 0) throw new Error('died');
          })
          .catch(() => undefined);
      }
    };
    const spread = async () => {
      while (isWriting) await fanOut();
    };
    const poll = async (limit: string) => {
      const seen: string[] = [];
      let page = await list({ limit });
      for (;;) {
        seen.push(...ids(page));
        // Decided before the last look, so that nothing comes after it.
        const isLast = !isWriting && !page.has_more;
        page = await list({ limit, cursor: page.next_cursor });
        if (isLast && page.events.length === 0) return seen;
      }
    };
    const pollers = ['1', '3', '200'].map(poll);
    const writers = Promise.all(Array.from({ length: 5 }, (_, writer) => write(writer)));
    const spreaders = [spread(), spread()];
    await writers;
    await fanOut();
    isWriting = false;
    await Promise.all(spreaders);
    await fanOut();
    const seen = await Promise.all(pollers);
    const written = await db.select({ id: events.id }).from(events);
    const whole = await listAll();
    expect(written.length).toBeGreaterThan(100);
    expect(whole.toSorted()).toEqual(written.map(({ id }) => id).toSorted());
    for (const one of seen) expect(one).toEqual(whole);
  });

  test('gets an event that commits after one with a higher sequence', async () => {
    const written = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const late = stage.ctx.db.transaction(async (tx) => {
      await appendInvestments(tx, 1);
      written.resolve();
      await released.promise;
    });
    await written.promise;
    const [early] = await report({});
    const page = await list();
    expect(ids(page)).toEqual([early]);
    released.resolve();
    await late;
    await fanOut();
    const next = await list({ cursor: page.next_cursor });
    expect(next.events).toHaveLength(1);
    expect(ids(next)).not.toEqual([early]);
  });

  test('misses nothing of what two list at once: the second waits for the first, and comes after it', async () => {
    const { db } = stage.ctx;
    await appendInvestments(db, 2);
    await fanOutSlice(db, 10);
    const listed = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const first = db.transaction(async (tx) => {
      await listFannedOut(tx);
      listed.resolve();
      await released.promise;
    });
    await listed.promise;
    await appendInvestments(db, 1);
    const second = fanOut();
    const waits = async () => {
      const waiting = sql`select exists (select from pg_locks where locktype = 'advisory' and not granted) as waits`;
      while ((await db.execute<{ waits: boolean }>(waiting)).rows[0]?.waits !== true);
    };
    await Promise.race([second, waits()]);
    const page = await list();
    released.resolve();
    await Promise.all([first, second]);
    // On a slow machine it may have waited too long for the first.
    await fanOut();
    const seen = [...ids(page), ...(await listAll({ cursor: page.next_cursor }))];
    expect(seen).toHaveLength(3);
    expect(seen).toEqual(await listAll());
  });

  test('that hangs keeps no delivery from its webhook, and the next fan-out lists what it has not', async () => {
    const { db } = stage.ctx;
    await appendInvestments(db, 1);
    const listing = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const hanging = db.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('list of events', 0))`);
      listing.resolve();
      await released.promise;
    });
    await listing.promise;
    // It says that there is more to do: the next slice comes by itself.
    expect(await fanOutEvents(stage.ctx, 0)).toMatchObject({ more: true });
    expect(await db.$count(events, sql`fanned_out`)).toBe(1);
    expect((await list()).events).toEqual([]);
    released.resolve();
    await hanging;
    await fanOut();
    expect((await list()).events).toHaveLength(1);
  });

  test('keeps its place over pages without anything for it, and its cursor stays good', async () => {
    const start = await list();
    expect(start).toMatchObject({ events: [], has_more: false });
    const [first, second] = await report({}, { type: 'system.maintenance_end' });
    const none = await list({ types: 'project.launched' });
    expect(none).toMatchObject({ events: [], has_more: false });
    expect(none.next_cursor).not.toBe(start.next_cursor);
    const [third] = await report({});
    expect(ids(await list({ cursor: none.next_cursor }))).toEqual([third]);
    expect(await listAll({ cursor: start.next_cursor, limit: '1' })).toEqual([first, second, third]);
  });

  test('gets what was reported of a draft once it is launched, after everything that it has read', async () => {
    const sale = await seedSale(stage.ctx.db, { tag: 13 });
    await changeRows(stage.ctx.db, 'projects', { id: sale.projectId }, { status: 'draft' });
    const [draft, other] = await report({ projectId: sale.projectId }, {});
    const pages = await Promise.all([apiKey, TEST_ADMIN_TOKEN].map((key) => list({}, key)));
    for (const page of pages) expect(ids(page)).toEqual([other]);
    await changeRows(stage.ctx.db, 'projects', { id: sale.projectId }, { status: 'active' });
    const [launched] = await report({ projectId: sale.projectId, type: 'project.launched' });
    for (const [index, key] of [apiKey, TEST_ADMIN_TOKEN].entries()) {
      expect(await listAll({ cursor: pages[index]?.next_cursor ?? '' }, key)).toEqual([draft, launched]);
    }
  });

  test('without a cursor begins with the oldest event that is kept, also where newer ones were pruned', async () => {
    const [kept = '', pruned = '', newer = ''] = await report({}, {}, {});
    await stage.ctx.db.execute(sql`update events set pruned_at = now(), body = '' where id = ${pruned}`);
    expect(await listAll({ limit: '1' })).toEqual([kept, newer]);
    expect(await listAll({ limit: '1', since: new Date(START_MS).toISOString() })).toEqual([kept, newer]);
    // What is pruned from then on was to come.
    const { next_cursor: cursor } = await list({ limit: '1' });
    const [last] = await report({});
    await stage.ctx.db.execute(sql`update events set pruned_at = now(), body = '' where id = ${newer}`);
    expect(await ask({ cursor })).toMatchObject({ status: 410, body: { code: 'gone' } });
    expect(await listAll()).toEqual([kept, last]);
  });

  test('after a restore of the database to an earlier state gets what is reported from then on', async () => {
    await report({});
    const [lost] = await report({});
    const { next_cursor: cursor } = await list();
    await stage.ctx.db.execute(sql`delete from events where id = ${lost}`);
    const [later] = await report({});
    expect(ids(await list({ cursor }))).toEqual([later]);
  });

  test('is told by 410 that events after its cursor were pruned, and starts again with those that are kept', async () => {
    const { next_cursor: cursor } = await list();
    const [old] = await report({});
    const { next_cursor: after } = await list();
    await stage.ctx.db.execute(sql`update events set created_at = created_at - interval '31 days'`);
    const [kept] = await report({});
    await pruneEvents(stage.ctx, Number.POSITIVE_INFINITY);
    expect(await ask({ cursor })).toMatchObject({
      status: 410,
      body: {
        code: 'gone',
        detail: expect.stringContaining('Start again without a cursor'),
        errors: [{ field: 'cursor' }],
      },
    });
    expect(await listAll()).toEqual([kept]);
    expect(await listAll({ cursor: after })).toEqual([kept]);
    const one = (id = '') => call(eventRoute, 'GET', { apiKey, params: { id } });
    expect(await one(old)).toMatchObject({ status: 410, body: { code: 'gone' } });
    expect(await one(kept)).toMatchObject({ status: 200, body: { event_id: kept } });
  });

  test('is refused a cursor that is none, and one of another list', async () => {
    const other = Buffer.from('["2026-01-01T00:00:00.000Z","wh_1"]').toString('base64url');
    for (const cursor of [
      'x',
      other,
      Buffer.from('[-1]').toString('base64url'),
      Buffer.from('[1e300]').toString('base64url'),
    ]) {
      expect(await ask({ cursor })).toMatchObject({ status: 400, body: { errors: [{ field: 'cursor' }] } });
    }
  });
});

describe('what a key may see', () => {
  test('is the body that its webhooks receive, byte for byte', async () => {
    const [id = ''] = await report({});
    const [row] = await stage.ctx.db.select({ body: events.body }).from(events);
    expect(JSON.stringify((await list()).events[0])).toBe(row?.body);
    const { body } = await call(eventRoute, 'GET', { apiKey, params: { id } });
    expect(JSON.stringify(body)).toBe(row?.body);
  });

  test('is never another tenant’s: neither a deactivated webhook of theirs nor a test event', async () => {
    const theirs = (await asDeveloper(stage.ctx)).apiKey;
    const url = 'http://127.0.0.1:9/hook';
    const registered = await call(webhookRoute, 'POST', { apiKey: theirs, body: { url } });
    const webhookId = String(registered.body.id);
    const [disabled = ''] = await report({ type: 'system.webhook_disabled', data: { webhook_id: webhookId } });
    const body = { webhook_id: webhookId, event_type: 'investment.created' };
    const tested = await call(testRoute, 'POST', { apiKey: theirs, body });
    await fanOut();
    expect(await listAll({}, theirs)).toEqual([disabled]);
    expect(await listAll()).toEqual([]);
    const one = (id: unknown, key: string) => call(eventRoute, 'GET', { apiKey: key, params: { id: String(id) } });
    expect(await one(disabled, theirs)).toMatchObject({ status: 200 });
    expect(await one(disabled, apiKey)).toMatchObject({ status: 404 });
    for (const key of [theirs, apiKey]) expect(await one(tested.body.event_id, key)).toMatchObject({ status: 404 });
  });

  test('is no alert and no draft, which administrators see', async () => {
    const sale = await seedSale(stage.ctx.db, { tag: 11 });
    await changeRows(stage.ctx.db, 'projects', { id: sale.projectId }, { status: 'draft' });
    const [alert = '', draft = ''] = await report({ type: 'system.alert' }, { projectId: sale.projectId });
    expect(await listAll()).toEqual([]);
    expect(await listAll({}, TEST_ADMIN_TOKEN)).toEqual([alert]);
    for (const id of [alert, draft]) {
      expect(await call(eventRoute, 'GET', { apiKey, params: { id } })).toMatchObject({ status: 404 });
      const shown = await call(eventRoute, 'GET', { apiKey: TEST_ADMIN_TOKEN, params: { id } });
      expect(shown).toMatchObject({ status: 200, body: { event_id: id } });
    }
    expect(await ask({ types: 'system.alert' })).toMatchObject({ status: 400, body: { errors: [{ field: 'types' }] } });
    expect(await ask({ project: sale.projectId })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'project', message: expect.stringContaining('is no launched project') }] },
    });
  });

  test('is filtered by type, by project as a webhook is, and by the time at which it was recorded', async () => {
    const sale = await seedSale(stage.ctx.db, { tag: 12 });
    const [other = '', mine, none] = await report(
      {},
      { projectId: sale.projectId },
      { type: 'system.maintenance_end' },
    );
    expect(await listAll({ types: 'system.maintenance_end,project.launched' })).toEqual([none]);
    expect(await listAll({ types: 'investment.created' })).toEqual([other, mine]);
    await changeRows(stage.ctx.db, 'events', { id: other }, { projectId: 'proj_0000000000000000000000' });
    expect(await listAll({ project: sale.projectId })).toEqual([mine, none]);
    await stage.ctx.db.execute(sql`update events set created_at = created_at - interval '1 day' where id = ${other}`);
    const since = new Date(Date.now() - 3_600_000).toISOString();
    expect(await listAll({ since })).toEqual([mine, none]);
    expect(await listAll({ since, limit: '1' })).toEqual([mine, none]);
    expect(await listAll({ since: new Date(Date.now() + 3_600_000).toISOString() })).toEqual([]);
    expect(await ask({ types: 'investment.unheard' })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'types' }] },
    });
  });

  test('costs a page a bounded look at the index, however many events there are', async () => {
    await report({});
    await stage.ctx.db.execute(sql`
      insert into events (id, type, body, fanned_out, list_position)
      select 'evt_' || n, 'investment.created', '{}', true, n from generate_series(1, 20000) n`);
    const [last = ''] = await report({ type: 'project.launched' });
    await stage.ctx.db.execute(sql`analyze events`);
    // Far apart from what is asked for: pages that are empty, and go on.
    expect(await listAll({ types: 'project.launched' })).toEqual([last]);
    const { next_cursor: cursor } = await list({ cursor: Buffer.from('[20000]').toString('base64url') });
    const rowsFor = async (query: { cursor?: string; limit: number; since?: Date }) => {
      const explained = explainedDb(stage.ctx.db);
      const actor = { kind: 'administrator', name: 'test', role: 'operator' } as const;
      await listEvents({ ...stage.ctx, actor, db: explained.db }, query).catch(() => undefined);
      return explained.rowsHandled();
    };
    expect(await rowsFor({ limit: 50 })).toBeLessThan(1_000);
    expect(await rowsFor({ limit: 50, cursor })).toBeLessThan(50);
    expect(await rowsFor({ limit: 50, since: new Date() })).toBeLessThan(50);
  });
});

interface Sent {
  id: string;
  event: string;
  data: { event_id: string };
}

/** Opens a stream. `next` gives what it sends, one after the other; undefined at its end. */
async function openStream(query = '', headers: Record<string, string> = {}, key = apiKey) {
  const abort = new AbortController();
  const request = new Request(`http://127.0.0.1:3000/api/events/stream${query}`, {
    headers: { authorization: `Bearer ${key}`, ...headers },
    signal: abort.signal,
  });
  const response = await streamRoute.GET(request, { params: Promise.resolve({}) });
  const reader = response.ok ? response.body?.pipeThrough(new TextDecoderStream()).getReader() : undefined;
  const sent: Sent[] = [];
  const parser = createParser({
    onEvent: ({ id = '', event = '', data }) => sent.push({ id, event, data: JSON.parse(data) }),
  });
  return {
    response,
    async next(): Promise<Sent | undefined> {
      while (sent.length === 0) {
        const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
        if (done || value === undefined) return undefined;
        parser.feed(value);
      }
      return sent.shift();
    },
    cut: async () => {
      abort.abort();
      await reader?.cancel();
    },
  };
}

describe('a stream', () => {
  test('that is cut again and again is resumed by Last-Event-ID and sees everything once, in order', async () => {
    const [before] = await report({});
    const first = await openStream();
    const start = await first.next();
    expect(start).toMatchObject({ event: 'cursor', data: { cursor: start?.id } });
    await first.cut();
    const seen: string[] = [];
    const expected: string[] = [];
    let lastId = start?.id ?? '';
    for (let turn = 0; turn < 6; turn++) {
      // Some come while nobody listens, some while the stream is open.
      expected.push(...(await report({}, { type: 'system.maintenance_end' }, {})));
      const stream = await openStream('?cursor=ignored_beside_it', { 'last-event-id': lastId });
      expect(stream.response.headers.get('content-type')).toMatch(/^text\/event-stream/);
      const live = report({});
      for (let count = 0; count < 2 + (turn % 3); ) {
        const sent = await stream.next();
        lastId = sent?.id ?? '';
        if (sent === undefined || sent.event === 'cursor') continue;
        seen.push(sent.data.event_id);
        count += 1;
      }
      expected.push(...(await live));
      await stream.cut();
    }
    const rest = await openStream('', { 'last-event-id': lastId });
    while (seen.length < expected.length) {
      const sent = await rest.next();
      if (sent?.event !== 'cursor') seen.push(sent?.data.event_id ?? '');
    }
    await rest.cut();
    expect(seen).toEqual(expected);
    expect(seen).not.toContain(before);
  });

  test('begins with a cursor of the list, or since a time, and filters as the list does', async () => {
    const { next_cursor: cursor } = await list();
    const [created, ended] = await report({}, { type: 'system.maintenance_end' });
    const since = new Date(Date.now() - 60_000).toISOString();
    for (const query of [
      `?cursor=${cursor}&types=system.maintenance_end`,
      `?since=${since}&types=system.maintenance_end`,
    ]) {
      const stream = await openStream(query);
      expect(await stream.next()).toMatchObject({ event: 'system.maintenance_end', data: { event_id: ended } });
      await stream.cut();
    }
    const resumed = await openStream(`?cursor=${cursor}`);
    expect(await resumed.next()).toMatchObject({ event: 'investment.created', data: { event_id: created } });
    await resumed.cut();
  });

  test('is refused by a problem where a list would be, and a Last-Event-ID that is none by its name', async () => {
    const { response } = await openStream('', { 'last-event-id': 'x' });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ errors: [{ field: 'Last-Event-ID' }] });
    const { response: alert } = await openStream('?types=system.alert');
    expect(alert.status).toBe(400);
  });

  test('is one of few that a key may have open, and those that ended do not count', async () => {
    const open = await Promise.all(Array.from({ length: STREAMS_AT_ONCE.credential }, () => openStream()));
    const { response } = await openStream();
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
    const others = await openStream('', {}, (await asDeveloper(stage.ctx)).apiKey);
    expect(others.response.status).toBe(200);
    await Promise.all([...open, others].map(({ cut }) => cut()));
    const next = await openStream();
    expect(next.response.status).toBe(200);
    await next.cut();
  });

  test('is one of few that a tenant, and an address, may have open, whatever the number of its keys; administrators count one by one', async () => {
    const abort = new AbortController();
    const begun: AsyncGenerator[] = [];
    /** How many can be opened. */
    const open = async (actors: readonly Actor[], callers: readonly string[]) => {
      let count = 0;
      for (const actor of actors) {
        for (const caller of callers) {
          const stream = streamEvents({ ...stage.ctx, actor }, { lastEventId: null, caller }, abort.signal);
          begun.push(stream);
          count += await stream.next().then(
            () => 1,
            () => 0,
          );
        }
      }
      return count;
    };
    const { actor } = await asDeveloper(stage.ctx);
    const keysOf = (tenantId: string, count: number) =>
      Array.from({ length: count }, (_, n): Actor => ({ ...actor, tenantId, keyId: `${tenantId}_${n}` }) as Actor);
    const addresses = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name}${n}`);
    try {
      expect(await open(keysOf('ten_a', 30), addresses('a', 1))).toBe(STREAMS_AT_ONCE.address);
      expect(await open(keysOf('ten_b', 30), addresses('b', 3))).toBe(STREAMS_AT_ONCE.tenant);
      const strangers = addresses('ten_c', 30).flatMap((tenant) => keysOf(tenant, 1));
      expect(await open(strangers, addresses('c', 1))).toBe(STREAMS_AT_ONCE.address);
      const administrator = (name: string): Actor => ({ kind: 'administrator', name, role: 'read_only' });
      expect(await open([administrator('ann')], addresses('d', 9))).toBe(STREAMS_AT_ONCE.credential);
      expect(await open([administrator('bob')], addresses('e', 1))).toBe(1);
      expect(await open(keysOf('ten_d', 1), addresses('f', 1))).toBe(1);
    } finally {
      abort.abort();
      await Promise.all(begun.map((stream) => stream.return(undefined)));
    }
    expect(await open(keysOf('ten_a', 1), addresses('a', 1))).toBe(1);
    await Promise.all(begun.map((stream) => stream.return(undefined)));
  });

  test('ends by itself after its time, and gives its place back', async () => {
    const actor = { kind: 'administrator', name: 'test', role: 'operator' } as const;
    const [id] = await report({});
    for (let count = 0; count <= STREAMS_AT_ONCE.credential; count++) {
      const given = { lastEventId: null, since: new Date(START_MS), caller: '192.0.2.1' };
      const stream = streamEvents({ ...stage.ctx, actor }, given, new AbortController().signal, 100);
      const sent = await gather(stream);
      expect(sent).toMatchObject([{ event: 'investment.created', data: { event_id: id } }]);
    }
  });

  test('that is only asked for by HEAD holds nothing', async () => {
    for (let count = 0; count <= STREAMS_AT_ONCE.credential; count++) {
      const request = new Request('http://127.0.0.1:3000/api/events/stream', {
        method: 'HEAD',
        headers: { authorization: `Bearer ${apiKey}` },
      });
      const response = await streamRoute.GET(request, { params: Promise.resolve({}) });
      expect({ status: response.status, body: response.body }).toEqual({ status: 200, body: null });
    }
  });
});
