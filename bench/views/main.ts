import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command, InvalidArgumentError } from 'commander';
import { sql } from 'drizzle-orm';
import { Agent } from 'undici';
import { projects } from '#drizzle/schema/sale.ts';
import { type Db, openDatabase } from '#lib/base/db.ts';
import { BARE_PATH, buildCopy } from '../api/build.ts';
import { type Server, startServer } from '../api/server.ts';
import { openStage } from '../api/stage.ts';
import { type Figure, reportMetrics } from '../figures.ts';
import { percentile } from '../webhooks/percentile.ts';

/** What the page of a sale must bear on two processors. */
const MOST_P95_MS = 100;
const MOST_CPU_MS = 3;
/** A page that is open asks whether its sale has changed as often as this. */
const POLL_MS = 4_000;
/** A ledger closes, and payments of it change the sale. */
const LEDGER_MS = 4_000;
const CONNECTIONS = 64;
const WARM_UP_SECONDS = 3;

const positive = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('must be a whole number, 1 or more');
  return value;
};

const options = new Command('npx tranche bench views')
  .description(
    'The sale page at a steady rate while others have it open, beside a bare route handler of the same build',
  )
  .option('--rate <n>', 'views a second', positive, 300)
  .option('--readers <n>', 'readers who have the page open and ask whether the sale has changed', positive, 200)
  .option('--seconds <n>', 'how long each side is asked', positive, 15)
  .option('--no-build', 'measure the copy that an earlier run of this or of the api benchmark built')
  .parse()
  .opts<{ rate: number; readers: number; seconds: number; build: boolean }>();

const say = (line: string): void => void process.stdout.write(`${line}\n`);

interface Measured {
  perSecond: number;
  p50Ms: number;
  p95Ms: number;
  cpuMs: number;
  failures: number;
}

/** Begins each request at its time, whatever became of those before it. */
async function askSteadily(agent: Agent, server: Server, path: string, seconds: number): Promise<Measured> {
  const latencies: number[] = [];
  let failures = 0;
  const headers = { accept: 'text/html', 'accept-encoding': 'br' };
  const view = async () => {
    const askedAt = performance.now();
    try {
      const { statusCode, body } = await agent.request({ origin: server.url, path, method: 'GET', headers });
      await body.arrayBuffer();
      if (statusCode === 200) latencies.push(performance.now() - askedAt);
      else failures += 1;
    } catch {
      failures += 1;
    }
  };
  const usedBefore = await server.cpuMs();
  const beganAt = performance.now();
  const views: Promise<void>[] = [];
  const total = options.rate * seconds;
  for (let n = 0; n < total; n++) {
    const waitMs = beganAt + (n * 1_000) / options.rate - performance.now();
    if (waitMs > 1) await sleep(waitMs);
    views.push(view());
  }
  await Promise.all(views);
  const tookMs = performance.now() - beganAt;
  return {
    perSecond: (latencies.length / tookMs) * 1_000,
    p50Ms: percentile(latencies, 0.5),
    p95Ms: percentile(latencies, 0.95),
    cpuMs: ((await server.cpuMs()) - usedBefore) / latencies.length,
    failures,
  };
}

/** What the router of an open page says when the page refreshes itself. */
const refreshHeaders = (slug: string) => ({
  rsc: '1',
  'accept-encoding': 'br',
  'next-router-state-tree': encodeURIComponent(
    JSON.stringify([
      '',
      {
        children: [
          '(site)',
          { children: ['sales', { children: [['slug', slug, 'd', null], { children: ['__PAGE__', {}] }] }] },
        ],
      },
      null,
      'refetch',
    ]),
  ),
});

interface Readers {
  /** How long each refresh took. */
  refreshes: number[];
  leave(): Promise<void>;
}

/** Readers who have the page open: each asks in turn with the tag of what it shows, and refreshes its page where that has changed. */
function openReaders(server: Server, projectId: string, slug: string): Readers {
  const agent = new Agent({ connections: 8, pipelining: 1 });
  const left = new AbortController();
  const refreshes: number[] = [];
  const get = async (path: string, headers: Record<string, string>) => {
    const answer = await agent.request({ origin: server.url, path, method: 'GET', headers });
    await answer.body.arrayBuffer();
    return answer;
  };
  const read = async (startMs: number) => {
    let etag = '';
    await sleep(startMs, undefined, { signal: left.signal });
    while (!left.signal.aborted) {
      const { statusCode, headers } = await get(`/api/projects/${projectId}`, { 'if-none-match': etag });
      if (statusCode === 200 && etag !== '') {
        const askedAt = performance.now();
        const refreshed = await get(`/sales/${slug}?_rsc=a`, refreshHeaders(slug));
        if (refreshed.statusCode !== 200) throw new Error(`A refresh of the page answered ${refreshed.statusCode}`);
        refreshes.push(performance.now() - askedAt);
      }
      etag = String(headers.etag);
      await sleep(POLL_MS, undefined, { signal: left.signal });
    }
  };
  const all = Array.from({ length: options.readers }, async (_, n) => {
    try {
      await read((n * POLL_MS) / options.readers);
    } catch (err) {
      if (!left.signal.aborted) throw err;
    }
  });
  return {
    refreshes,
    async leave() {
      left.abort();
      await Promise.all(all);
      await agent.close();
    },
  };
}

/** Payments of each ledger are counted into the sale, until it is stopped. */
function keepSelling(db: Db): () => Promise<void> {
  const stopped = new AbortController();
  const selling = (async () => {
    while (!stopped.signal.aborted) {
      await db.update(projects).set({ raisedDrops: sql`${projects.raisedDrops} + 1000000` });
      await sleep(LEDGER_MS, undefined, { signal: stopped.signal }).catch(() => {});
    }
  })();
  return async () => {
    stopped.abort();
    await selling;
  };
}

if (options.build) await buildCopy();
const stage = await openStage();
try {
  const database = await openDatabase(stage.settings.POSTGRES_URL ?? '', 1);
  const [sale] = await database.db.select({ slug: projects.slug }).from(projects);
  if (sale === undefined) throw new Error('The stage has no sale');
  const path = `/sales/${sale.slug}`;
  const server = await startServer(stage.settings);
  const agent = new Agent({ connections: CONNECTIONS, pipelining: 1 });
  say(`load before the run: ${loadavg()[0]?.toFixed(1)}`);
  try {
    await askSteadily(agent, server, BARE_PATH, WARM_UP_SECONDS);
    await askSteadily(agent, server, path, WARM_UP_SECONDS);
    const stopSelling = keepSelling(database.db);
    const readers = openReaders(server, stage.projectId, sale.slug);
    const bare = await askSteadily(agent, server, BARE_PATH, options.seconds);
    const page = await askSteadily(agent, server, path, options.seconds);
    await readers.leave();
    await stopSelling();
    say(
      `${options.rate} a second for ${options.seconds} s each, while ${options.readers} readers ask every ${POLL_MS / 1_000} s, and the sale changes as often`,
    );
    for (const [name, seen] of [
      ['bare route handler', bare],
      ['sale page', page],
    ] as const) {
      const { perSecond, p50Ms, p95Ms, cpuMs, failures } = seen;
      say(
        `  ${name.padEnd(20)} ${perSecond.toFixed(0)} a second, p50 ${p50Ms.toFixed(1)} ms, p95 ${p95Ms.toFixed(1)} ms, ${cpuMs.toFixed(2)} ms of processor time each, ${failures} failed`,
      );
    }
    const refreshP95Ms = percentile(readers.refreshes, 0.95);
    say(`  readers' refreshes   ${readers.refreshes.length}, p95 ${refreshP95Ms.toFixed(1)} ms`);
    const ratio = page.cpuMs / bare.cpuMs;
    say(`  processor time of a view to that of a bare answer, readers in both: ${ratio.toFixed(2)}`);
    const isMet = page.p95Ms < MOST_P95_MS && page.cpuMs < MOST_CPU_MS && page.failures === 0;
    say(`  target: p95 ${MOST_P95_MS} ms, ${MOST_CPU_MS} ms of processor time${isMet ? '' : '  MISSED'}`);
    const figures: Figure[] = [
      { what: `views of the sale page, ${options.rate} a second asked`, value: page.perSecond, unit: 'a second' },
      { what: 'a view of the sale page, p50', value: page.p50Ms, unit: 'ms' },
      { what: 'a view of the sale page, p95', value: page.p95Ms, unit: 'ms', target: { atMost: MOST_P95_MS } },
      { what: 'an open page refreshes itself, p95', value: refreshP95Ms, unit: 'ms' },
      { what: 'processor time of a view', value: page.cpuMs, unit: 'ms', target: { atMost: MOST_CPU_MS } },
      { what: 'processor time of a view', value: ratio, unit: 'times', comparedWith: 'a bare route handler' },
    ];
    reportMetrics('views', figures);
    process.exitCode = isMet ? 0 : 1;
  } finally {
    await agent.close();
    await server.end();
    await database.close();
  }
} finally {
  await stage.end();
}
