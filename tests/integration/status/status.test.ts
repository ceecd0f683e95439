import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SandboxLedger, startLedger } from 'xrpl-sandbox/index.ts';
import { openDatabase } from '#lib/base/db.ts';
import { applyEnv } from '#lib/base/env.ts';
import { createLogger } from '#lib/base/log.ts';
import { processPayments } from '#lib/jobs/process-payments.ts';
import { systemStatus } from '#lib/ops/status/contracts.ts';
import { getStatus, readStatus } from '#lib/ops/status/get-status.ts';
import { ledgerUnavailable } from '#lib/xrpl/fault.ts';
import { openRelay } from '#tests/faults/relay.ts';
import { TEST_ADMIN_TOKEN, TEST_CRON_SECRET, TEST_READ_ONLY_TOKEN, testEnv } from '#tests/support/env.ts';
import { addDepositAccount } from '#tests/support/sale.ts';
import { GET as getMetrics } from '../../../app/api/system/metrics/route.ts';
import { GET as getStatusRoute } from '../../../app/api/system/status/route.ts';
import { readExposition } from './exposition.ts';
import { openWorld, type World } from './world.ts';

let world: World;
let peer: SandboxLedger;
beforeAll(async () => {
  world = await openWorld();
  world.desk.close(30);
  peer = await startLedger({ peerOf: world.desk.ledger });
});
afterAll(async () => {
  await world.close();
  await peer.close();
});

const NO_PARAMS = { params: Promise.resolve({}) };
const scrape = (token?: string) =>
  getMetrics(
    new Request('http://127.0.0.1:3000/api/system/metrics', {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    }),
    NO_PARAMS,
  );

/** Leads to a port of this machine, and lets each connection wait at the door before it passes anything on. */
async function openSlowDoor(to: number, waitMs: number) {
  const sockets = new Set<Socket>();
  const server = createServer((inward) => {
    const outward = connect(to, '127.0.0.1');
    for (const socket of [inward, outward]) sockets.add(socket.on('error', () => undefined));
    setTimeout(() => {
      inward.pipe(outward);
      outward.pipe(inward);
    }, waitMs);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  };
  return { port: (server.address() as AddressInfo).port, close };
}

/** A later reading than any before. */
const status = () => {
  world.ctx.clock.advance(3_001);
  return getStatus(world.ctx);
};

describe('the status', () => {
  test('under 500 callers at once asks every part once', async () => {
    const { ctx } = world;
    const asked = { queue: 0, ledger: 0 };
    const counting = {
      ...ctx,
      redis: ctx.redis,
      log: ctx.log,
      queue: {
        ...ctx.queue,
        ping: () => {
          asked.queue += 1;
          return ctx.queue.ping();
        },
      },
      ledger: {
        ...ctx.ledger,
        serverState: () => {
          asked.ledger += 1;
          return ctx.ledger.serverState();
        },
      },
    };
    ctx.clock.advance(3_001);
    const answers = await Promise.all(Array.from({ length: 500 }, () => getStatus(counting)));
    expect(new Set(answers).size).toBe(1);
    expect(asked).toEqual({ queue: 1, ledger: 1 });
    ctx.clock.advance(2_999);
    expect(await getStatus(counting)).toBe(answers[0]);
    expect(asked).toEqual({ queue: 1, ledger: 1 });
  });

  test('is read anew under other settings', async () => {
    const before = await status();
    await world.servers(peer.wsUrl, world.desk.ledger.wsUrl);
    expect((await getStatus(world.ctx)).ledger.servers).toHaveLength(2);
    await world.servers(world.desk.ledger.wsUrl);
    expect(before.ledger.servers).toEqual([]);
  });

  test('shows ledger servers against each other', async () => {
    await world.servers(world.desk.ledger.wsUrl, peer.wsUrl);
    const index = (await status()).ledger.validated_index ?? 0;
    peer.faults.set({ lagLedgers: 20 });
    const lagging = await status();
    peer.faults.clear();
    expect(lagging.ledger.servers).toMatchObject([
      { server: 1, status: 'up', validated_index: index, behind: 0, agrees: true },
      { server: 2, status: 'up', validated_index: index - 20, behind: 20, agrees: true },
    ]);
    expect((await status()).ledger.servers.map(({ behind, agrees }) => [behind, agrees])).toEqual([
      [0, true],
      [0, true],
    ]);
    await world.servers(world.desk.ledger.wsUrl);
  });

  test('does not wait for a second server that hangs longer than for a part', async () => {
    await world.servers(world.desk.ledger.wsUrl, peer.wsUrl);
    await status();
    peer.faults.set({ answerDelayMs: 4_500 });
    const startedAt = performance.now();
    const hanging = await status();
    const tookMs = performance.now() - startedAt;
    peer.faults.clear();
    expect(hanging).toMatchObject({ causes: ['ledger_server_down'], checks: { ledger: { status: 'up' } } });
    expect(tookMs).toBeLessThan(4_000);
    await world.servers(world.desk.ledger.wsUrl);
  });

  test('is 503 while the database is away and 200 once it is back, in what it always looks like', async () => {
    const ask = () => getStatusRoute(new Request('http://127.0.0.1:3000/api/system/status'), NO_PARAMS);
    const accept = await world.refuseConnections();
    const away = await ask();
    await accept();
    const back = await ask();
    expect([away.status, back.status]).toEqual([503, 200]);
    expect(systemStatus.parse(await away.json())).toMatchObject({ status: 'down', metrics: null });
    expect(systemStatus.parse(await back.json())).toMatchObject({ checks: { database: { status: 'up' } } });
  });

  test('of a process that connects for the first time waits for a database that is slow to take it in', async () => {
    // Longer than an open connection is waited for, as under load.
    const slow = await openSlowDoor(Number(new URL(world.database.url).port), 2_600);
    const url = new URL(world.database.url);
    url.port = String(slow.port);
    const cold = await openDatabase(url.href, 2);
    const { ctx } = world;
    const first = await readStatus({ ...ctx, redis: ctx.redis, queue: ctx.queue, log: ctx.log, db: cold.db });
    await cold.close();
    await slow.close();
    expect(first).toMatchObject({ status: 'operational', causes: [], checks: { database: { status: 'up' } } });
  });

  test('asks the database again before it calls it away: a connection that was cut a moment ago is no outage', async () => {
    const { ctx } = world;
    // Both connections are taken out and cut where the pool cannot see it: the next statement of each fails.
    const { port } = new URL(world.database.url);
    const relay = await openRelay(Number(port));
    const url = new URL(world.database.url);
    url.port = String(relay.port);
    const own = await openDatabase(url.href, 2);
    const asked = { ...ctx, redis: ctx.redis, queue: ctx.queue, log: ctx.log, db: own.db };
    await readStatus(asked);
    // What is asked now is under way when the connections go.
    const answer = readStatus({
      ...asked,
      ledger: {
        ...ctx.ledger,
        serverState: () => {
          relay.drop();
          return ctx.ledger.serverState();
        },
      },
    });
    expect(await answer).toMatchObject({ status: 'operational', causes: [] });
    await own.close();
    await relay.close();
  });

  test('names the commit of a deployment that knows it', async () => {
    const { redis, qstash, database, desk } = world;
    const settings = {
      KV_REST_API_URL: redis.url,
      QSTASH_URL: qstash.url,
      POSTGRES_URL: database.url,
      XRPL_NETWORK_ID: '21337',
    };
    const commit = '27db558c0ffee';
    applyEnv(testEnv({ ...settings, XRPL_URLS: desk.ledger.wsUrl, VERCEL_GIT_COMMIT_SHA: commit }));
    expect(await status()).toMatchObject({ commit, version: expect.stringMatching(/\+27db558$/) });
    await world.servers(desk.ledger.wsUrl);
    expect(await status()).toMatchObject({ commit: null });
  });
});

describe('the metrics', () => {
  test('are for administrators of either role, and for nobody else', async () => {
    const statuses = await Promise.all(
      [undefined, 'tr_test_nobody', TEST_CRON_SECRET, TEST_READ_ONLY_TOKEN, TEST_ADMIN_TOKEN].map(
        async (token) => (await scrape(token)).status,
      ),
    );
    expect(statuses).toEqual([401, 401, 403, 200, 200]);
  });

  test('are Prometheus text, every figure with its help and a name in base units', async () => {
    const answer = await scrape(TEST_READ_ONLY_TOKEN);
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const families = readExposition(await answer.text());
    for (const { name, type, help, samples } of families) {
      expect(type, name).toBe('gauge');
      expect(help.length, name).toBeGreaterThan(10);
      expect(name).toMatch(/^tranche_[a-z]+(_[a-z]+)*$/);
      // As promtool lints: no unit but the base one, and no suffix that another type claims.
      expect(name).not.toMatch(/_(ms|milliseconds|minutes|hours|percent|total|count|sum|bucket)(_|$)/);
      expect(new Set(samples.map(({ labels }) => labels)).size, name).toBe(samples.length);
    }
  });

  test('are the figures of the status', async () => {
    const shown = await getStatus(world.ctx);
    const families = new Map(
      readExposition(await (await scrape(TEST_ADMIN_TOKEN)).text()).map((one) => [one.name, one]),
    );
    const sample = (name: string, labels = '') =>
      families.get(`tranche_${name}`)?.samples.find((one) => one.labels === labels)?.value;
    expect(sample('ledger_validated_index')).toBe(shown.ledger.validated_index);
    expect(sample('part_up', 'part="database"')).toBe(1);
    expect(sample('deliveries_waiting')).toBe(0);
    expect(sample('payouts_open', 'status="held"')).toBe(0);
    expect(sample('cause_active', 'cause="database_down"')).toBe(0);
    expect(sample('invariant_findings', 'finding="late_discoveries"')).toBe(0);
    // Nothing ended, so there is nothing to tell of it.
    expect(families.has('tranche_delivery_success_ratio')).toBe(false);
  });

  test('come also while the database is away, less what it would tell', async () => {
    // Another server: nothing that was read before serves.
    await world.servers(peer.wsUrl);
    const accept = await world.refuseConnections();
    const answer = await scrape(TEST_READ_ONLY_TOKEN);
    await accept();
    expect(answer.status).toBe(200);
    const text = await answer.text();
    expect(text).toContain('tranche_status{status="down"} 1');
    expect(text).toContain('tranche_cause_active{cause="database_down"} 1');
    expect(text).not.toContain('tranche_deliveries_waiting');
  });
});

/** A log that keeps what is written, and a ctx that writes to it. */
function logged() {
  const { ctx } = world;
  const lines: Record<string, unknown>[] = [];
  const log = createLogger('debug', (line) => void lines.push(JSON.parse(line)));
  const loud = (level: string) =>
    lines
      .filter((line) => line.level === level)
      .map(({ msg, part, failures, since }) => ({ msg, part, failures, since }));
  return { ctx: { ...ctx, redis: ctx.redis, queue: ctx.queue, log }, loud };
}

describe('an outage', () => {
  test('of the database is one error line however many beats fail, one each five minutes, and one when it is over', async () => {
    // Outages of other tests are over.
    await processPayments(world.ctx);
    const { ctx, loud } = logged();
    await processPayments(ctx);
    expect([...loud('error'), ...loud('warn')]).toEqual([]);
    const since = new Date(ctx.clock.nowMs()).toISOString();
    const accept = await world.refuseConnections();
    const beat = async () => {
      expect((await processPayments(ctx)).faults).not.toEqual([]);
      await readStatus(ctx);
      ctx.clock.advance(4_000);
    };
    for (let beats = 0; beats < 10; beats++) await beat();
    expect(loud('error')).toMatchObject([{ msg: 'an outage began', part: 'database' }]);
    expect(loud('warn')).toEqual([]);
    ctx.clock.advance(300_000);
    await beat();
    expect(loud('error')).toMatchObject([{}, { msg: 'an outage goes on', part: 'database', since }]);
    expect(Number(loud('error')[1]?.failures)).toBeGreaterThan(20);

    await accept();
    ctx.clock.advance(60_000);
    expect((await processPayments(ctx)).faults).toEqual([]);
    expect(loud('error')).toHaveLength(2);
    expect(loud('warn')).toMatchObject([{ msg: 'an outage is over', part: 'database', since }]);
    expect(Number(loud('warn')[0]?.failures)).toBeGreaterThan(Number(loud('error')[1]?.failures));
  });

  test('of every ledger server is one error line, too, and what fails by itself is still told each time', async () => {
    const { ctx, loud } = logged();
    const away = { ...ctx.ledger, serverState: () => Promise.reject(ledgerUnavailable('No server', null)) };
    await addDepositAccount(world.database.db, 'rOutage', { networkId: 21337 });
    const stricken = { ...ctx, redis: ctx.redis, queue: ctx.queue, ledger: away };
    for (let beats = 0; beats < 5; beats++) {
      expect((await processPayments(stricken)).faults).toContain('read_feeds');
      ctx.clock.advance(4_000);
    }
    expect(loud('error')).toMatchObject([{ msg: 'an outage began', part: 'ledger' }]);
    const broken = { ...ctx.ledger, serverState: () => Promise.reject(new Error('a fault of our own')) };
    for (let beats = 0; beats < 2; beats++) {
      await processPayments({ ...ctx, redis: ctx.redis, queue: ctx.queue, ledger: broken });
    }
    await world.database.db.execute(sql`delete from deposit_accounts where address = 'rOutage'`);
    const own = loud('error').filter(({ msg }) => msg === 'a job failed');
    expect(own.length).toBeGreaterThanOrEqual(2);
  });
});
