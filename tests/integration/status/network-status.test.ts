import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type SandboxLedger, startLedger } from 'xrpl-sandbox/index.ts';
import { events } from '#drizzle/schema/events.ts';
import { openDatabase } from '#lib/base/db.ts';
import { processPayments } from '#lib/jobs/process-payments.ts';
import { readStatus } from '#lib/ops/status/get-status.ts';
import { partHealth } from '#lib/ops/status/judge.ts';
import { announce, claimLook, watchHealth } from '#lib/ops/status/watch-health.ts';
import { NETWORK_ID } from '#tests/integration/xrpl/desk.ts';
import { CLOSED_AT_MS } from '#tests/support/sale.ts';
import { openWorld, type World } from './world.ts';

let world: World;
let peer: SandboxLedger;
let elsewhere: Awaited<ReturnType<typeof openDatabase>>;

beforeAll(async () => {
  world = await openWorld();
  world.desk.close(30);
  peer = await startLedger({ peerOf: world.desk.ledger });
  elsewhere = await openDatabase(world.database.url, 2);
});
afterAll(async () => {
  await world.close();
  await peer.close();
  await elsewhere.close();
});
beforeEach(async () => {
  world.redis.faults.clear();
  world.qstash.faults.clear();
  peer.faults.clear();
  await world.servers(world.desk.ledger.wsUrl, peer.wsUrl);
  await world.database.db.execute(sql`truncate health_states, job_schedules, events cascade`);
  world.ctx.clock.set(CLOSED_AT_MS);
});

/** By the database's clock; on the ledger no time passes. */
const passHalfAMinute = async () => {
  await world.database.db.execute(sql`update job_schedules set due_at = due_at - interval '31 seconds'`);
};

/** Half a minute later, two instances look at the same time; what is announced, in order. */
async function look(): Promise<string[]> {
  await passHalfAMinute();
  const { ctx } = world;
  const other = { ...ctx, redis: ctx.redis, queue: ctx.queue, db: elsewhere.db, log: ctx.log };
  await Promise.all([watchHealth(ctx), watchHealth(other)]);
  return announced();
}

async function announced(): Promise<string[]> {
  const rows = await world.database.db
    .select({ body: events.body })
    .from(events)
    .where(eq(events.type, 'system.network_status'))
    .orderBy(events.sequence);
  return rows.map(({ body }) => {
    const { part, previous, status } = JSON.parse(body).data;
    return `${part}: ${previous} to ${status}`;
  });
}

interface Fault {
  part: string;
  status: string;
  cause: string;
  /** Begins the fault; gives how it ends. */
  begin(): Promise<() => unknown>;
}

const faults: Fault[] = [
  {
    part: 'cache',
    status: 'down',
    cause: 'cache_down',
    begin: async () => {
      world.redis.faults.inject({ kind: 'down', how: 'reset' });
      return () => world.redis.faults.clear();
    },
  },
  {
    part: 'queue',
    status: 'down',
    cause: 'queue_down',
    begin: async () => {
      world.qstash.faults.inject({ kind: 'down' });
      return () => world.qstash.faults.clear();
    },
  },
  {
    part: 'ledger',
    status: 'degraded',
    cause: 'ledger_server_behind',
    begin: async () => {
      peer.faults.set({ lagLedgers: 20 });
      return () => peer.faults.clear();
    },
  },
  {
    part: 'ledger',
    status: 'degraded',
    cause: 'ledger_server_down',
    begin: async () => {
      const { port } = peer;
      await peer.close();
      return async () => {
        peer = await startLedger({ peerOf: world.desk.ledger, port });
      };
    },
  },
  {
    part: 'ledger',
    status: 'degraded',
    cause: 'ledger_servers_disagree',
    begin: async () => {
      const stranger = await startLedger({ intervalMs: 0, networkId: NETWORK_ID, startTime: new Date(0) });
      for (let closed = 0; closed < 30; closed++) stranger.accept();
      await world.servers(world.desk.ledger.wsUrl, stranger.wsUrl);
      return async () => {
        await world.servers(world.desk.ledger.wsUrl, peer.wsUrl);
        await stranger.close();
      };
    },
  },
  {
    part: 'ledger',
    status: 'down',
    cause: 'ledger_down',
    begin: async () => {
      await world.servers(peer.wsUrl);
      expect(await readStatus(world.ctx)).toMatchObject({ checks: { ledger: { status: 'up' } } });
      const { port } = peer;
      await peer.close();
      return async () => {
        peer = await startLedger({ peerOf: world.desk.ledger, port });
      };
    },
  },
  {
    part: 'ledger',
    status: 'degraded',
    cause: 'ledger_stale',
    begin: async () => {
      world.ctx.clock.advance(600_000);
      return () => world.ctx.clock.set(CLOSED_AT_MS);
    },
  },
];

describe.each(faults)('$cause', ({ part, status, cause, begin }) => {
  test(`shows, and is announced once when it begins and once when it ends`, async () => {
    expect(await look()).toEqual([]);
    const end = await begin();
    expect(await readStatus(world.ctx)).toMatchObject({ status: 'degraded', causes: [cause] });

    expect(await look()).toEqual([]);
    const worse = [`platform: operational to degraded`, `${part}: operational to ${status}`];
    expect(await look()).toEqual(worse);
    expect(await look()).toEqual(worse);

    await end();
    world.ctx.clock.set(CLOSED_AT_MS);
    const better = [...worse, `platform: degraded to operational`, `${part}: ${status} to operational`];
    expect(await look()).toEqual(better);
    expect(await readStatus(world.ctx)).toMatchObject({ status: 'operational', causes: [] });
    expect(await look()).toEqual(better);
  });
});

describe('the database', () => {
  const away = async (looks: number) => {
    await look();
    const accept = await world.refuseConnections();
    for (let n = 0; n < looks; n++) {
      expect(await readStatus(world.ctx)).toMatchObject({ status: 'down', causes: ['database_down'], metrics: null });
      await expect(watchHealth(world.ctx)).rejects.toThrow();
      world.ctx.clock.advance(31_000);
    }
    await accept();
  };

  test('that was away is announced once it is back, with the time it was away', async () => {
    await away(2);
    const events = ['database: operational to down', 'database: down to operational'];
    expect(await look()).toEqual(events);
    expect(await look()).toEqual(events);
  });

  test('that one look did not reach is announced to nobody', async () => {
    await away(1);
    expect(await look()).toEqual([]);
  });
});

describe('a look', () => {
  test('that was overtaken by a later one announces nothing', async () => {
    const old = await claimLook(world.database.db);
    await passHalfAMinute();
    const newest = await claimLook(world.database.db);
    const bad = partHealth(['cache_down']);
    expect(await announce(world.ctx, newest!, bad, null)).toBe(0);
    expect(await announce(world.ctx, old!, bad, null)).toBe(0);
    expect(await announced()).toEqual([]);
  });

  test('is made no more often than each half minute, over all instances', async () => {
    const claims = await Promise.all([1, 2, 3].map(() => claimLook(world.database.db)));
    expect(claims.filter((claim) => claim !== null)).toHaveLength(1);
    expect(await claimLook(world.database.db)).toBeNull();
  });

  test('is part of every run of process-payments', async () => {
    world.redis.faults.inject({ kind: 'refuse', command: 'ping' });
    await processPayments(world.ctx);
    await passHalfAMinute();
    expect((await processPayments(world.ctx)).faults).toEqual([]);
    world.redis.faults.clear();
    expect(await announced()).toEqual(['platform: operational to degraded', 'cache: operational to down']);
  });
});
