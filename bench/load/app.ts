import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { freePort } from '#sandbox/postgres/port.ts';
import { openFront } from '#tests/faults/front.ts';
import { COPY, NEXT } from './build.ts';
import type { Usage } from './usage.ts';

const COUNTING = pathToFileURL(path.join(import.meta.dirname, 'counting.ts')).href;
const READY_TIMEOUT_MS = 120_000;
const LOOK_TIMEOUT_MS = 60_000;
const POLL_MS = 200;

/** One `next start` of the build. */
interface Instance {
  port: number;
  child: ChildProcess;
  look(isCollected: boolean): Promise<Usage>;
}

/** The instances of the app behind one address. */
export interface Fleet {
  baseUrl: string;
  start(settings: Record<string, string | undefined>, instances: number): Promise<void>;
  /** What each has used; after a collection when asked for. */
  look(isCollected?: boolean): Promise<Usage[]>;
  close(): Promise<void>;
}

async function startInstance(settings: Record<string, string | undefined>, name: string): Promise<Instance> {
  const port = await freePort();
  const folder = path.join(COPY, 'logs');
  await mkdir(folder, { recursive: true });
  const log = openSync(path.join(folder, `${name}.log`), 'w');
  const child = spawn(process.execPath, ['--import', COUNTING, NEXT, 'start', '-H', '127.0.0.1', '-p', String(port)], {
    cwd: COPY,
    env: { ...process.env, ...settings, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
    stdio: ['ignore', log, log, 'ipc'],
  });
  let orders = 0;
  const waiting = new Map<number, (usage: Usage) => void>();
  child.on('message', (told: { looked?: number; usage?: Usage }) => {
    if (told.looked === undefined || told.usage === undefined) return;
    waiting.get(told.looked)?.(told.usage);
    waiting.delete(told.looked);
  });
  return {
    port,
    child,
    async look(isCollected) {
      const order = ++orders;
      const { promise, resolve, reject } = Promise.withResolvers<Usage>();
      waiting.set(order, resolve);
      const timer = setTimeout(() => reject(new Error(`Instance ${name} does not answer`)), LOOK_TIMEOUT_MS);
      child.send({ look: order, isCollected });
      return promise.finally(() => clearTimeout(timer));
    },
  };
}

async function untilHealthy({ port, child }: Instance): Promise<void> {
  const giveUpAtMs = performance.now() + READY_TIMEOUT_MS;
  for (;;) {
    const status = await fetch(`http://127.0.0.1:${port}/api/system/status`).then(
      (answer) => answer.status,
      () => null,
    );
    if (status === 200) return;
    if (child.exitCode !== null) throw new Error(`An instance ended; ${COPY}/logs says why`);
    if (performance.now() > giveUpAtMs) throw new Error(`An instance was not healthy in time: ${status}`);
    await pause(POLL_MS);
  }
}

/** Opens the app's one address; connections go to the instances in turn, once there are any. */
export async function openFleet(): Promise<Fleet> {
  let instances: Instance[] = [];
  let turn = 0;
  const front = await openFront(async () => instances[turn++ % instances.length]?.port ?? null);
  return {
    baseUrl: front.url,
    async start(settings, count) {
      const started = await Promise.all(
        Array.from({ length: count }, (_, n) => startInstance(settings, `${count}-${n + 1}`)),
      );
      instances = started;
      await Promise.all(started.map(untilHealthy));
    },
    look: (isCollected = false) => Promise.all(instances.map((instance) => instance.look(isCollected))),
    async close() {
      for (const { child } of instances) {
        if (child.exitCode !== null || child.signalCode !== null) continue;
        const gone = once(child, 'exit');
        child.kill('SIGKILL');
        await gone;
      }
      await front.close();
    },
  };
}
