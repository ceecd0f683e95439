import { execFile, spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Pool } from 'undici';
import { freePort } from '#sandbox/postgres/port.ts';
import type { Committed, Deliverer } from './deliverer.ts';
import { nowMs } from './now.ts';
import { cpuOfTreeMs, residentMb } from './processor-time.ts';
import { newEvent, type World } from './world.ts';

/** Requests to its interface at once. */
const AT_ONCE = 16;
const STARTS_WITHIN_MS = 30_000;
const SETTLED_AFTER_MS = 1_000;

const run = promisify(execFile);

/**
 * A Svix server of this machine, in a database of its own on the same server, with its queue and cache in memory: nothing is
 * faster, and nothing of the queue outlives the process.
 */
export async function openSvix(world: World, binary: string): Promise<Deliverer & { end(): void }> {
  const port = await freePort();
  const env = {
    ...process.env,
    SVIX_DB_DSN: await world.createDatabase('svix'),
    SVIX_JWT_SECRET: 'a-secret-of-the-benchmark-and-nothing-else',
    SVIX_LISTEN_ADDRESS: `127.0.0.1:${port}`,
    SVIX_QUEUE_TYPE: 'memory',
    SVIX_CACHE_TYPE: 'memory',
    SVIX_WHITELABEL_HEADERS: 'true',
    SVIX_WHITELIST_SUBNETS: '[127.0.0.1/32]',
    SVIX_LOG_LEVEL: 'info',
  };
  await run(binary, ['migrate'], { env });
  const { stdout } = await run(binary, ['jwt', 'generate'], { env });
  const token = /ey[\w.-]+/.exec(stdout)?.[0];
  if (token === undefined) throw new Error('Svix gave no token');
  const child = spawn(binary, [], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const pid = child.pid ?? 0;
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: AT_ONCE });
  const call = async (path: string, body: object): Promise<{ id: string }> => {
    const response = await pool.request({
      path: `/api/v1/${path}/`,
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.body.text();
    if (response.statusCode >= 300) throw new Error(`Svix answered ${response.statusCode}: ${text.slice(0, 300)}`);
    return JSON.parse(text) as { id: string };
  };
  const startedAt = performance.now();
  while (!(await call('event-type', { name: 'investment.created', description: 'x' }).then(Boolean, () => false))) {
    if (performance.now() - startedAt > STARTS_WITHIN_MS) throw new Error('Svix did not start');
    await pause(100);
  }
  let single: string[] = [];
  let together = '';
  let another = '';
  const publish = async (app: string): Promise<Committed> => {
    const { id } = await call(`app/${app}/msg`, { eventType: 'investment.created', payload: newEvent(null) });
    return new Map([[id, nowMs()]]);
  };
  const newApp = async (urls: readonly string[]): Promise<string> => {
    const { id } = await call('app', { name: 'bench' });
    for (const url of urls) await call(`app/${id}/endpoint`, { url });
    return id;
  };
  return {
    name: 'svix',
    async register(urls, urlOfAnother) {
      single = [];
      for (const url of urls) single.push(await newApp([url]));
      together = await newApp(urls);
      another = await newApp([urlOfAnother]);
    },
    publishTo: (receiver) => publish(single[receiver] ?? ''),
    publishToAnother: () => publish(another),
    async publishAll(events) {
      const committed: Committed = new Map();
      let left = events;
      const work = async () => {
        while (left > 0) {
          left -= 1;
          for (const each of await publish(together)) committed.set(...each);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      return committed;
    },
    settle: () => pause(SETTLED_AFTER_MS),
    cpuMs: async () => (await cpuOfTreeMs(pid)) + (await world.databaseCpuMs()),
    memoryMb: () => residentMb(pid),
    end() {
      child.kill();
      void pool.close();
    },
  };
}
