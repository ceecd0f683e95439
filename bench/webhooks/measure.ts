import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { nowMs } from './now.ts';
import { percentile } from './percentile.ts';
import type { ReceiverProcess } from './receiver-process.ts';
import type { System } from './system.ts';
import type { Target, World } from './world.ts';

const POLL_MS = 25;
const GIVES_UP_AFTER_MS = 300_000;

async function untilDone(system: System): Promise<void> {
  const giveUpAtMs = performance.now() + GIVES_UP_AFTER_MS;
  while (!(await system.isDone())) {
    if (performance.now() > giveUpAtMs) throw new Error(`${system.name} came to no end`);
    await pause(POLL_MS);
  }
}

/** Deliveries a second while a backlog of so many events for every receiver is worked off. */
export async function measureThroughput(
  system: System,
  targets: readonly Target[],
  receivers: ReceiverProcess,
  events: number,
): Promise<number> {
  await system.prepare(targets);
  const deliveries = await system.fill(events);
  const startedAt = performance.now();
  await system.start();
  await untilDone(system);
  const elapsedMs = performance.now() - startedAt;
  await system.rest();
  const arrived = (await receivers.takeArrivals()).length;
  if (arrived !== deliveries) throw new Error(`${arrived} of ${deliveries} deliveries arrived`);
  return (deliveries / elapsedMs) * 1000;
}

/** Events that are delivered before a burst: the planner then takes one that waits for the exception. */
const BEFORE_BURST = 1_000;

/** Milliseconds from the commit of so many events in one transaction to the first bytes of the first delivery. */
export async function measureBurst(
  system: System,
  targets: readonly Target[],
  receivers: ReceiverProcess,
  { database: { db } }: World,
  events: number,
): Promise<number> {
  const deliver = async (count: number): Promise<number> => {
    await system.fill(count);
    const committedAtMs = nowMs();
    await system.start();
    await untilDone(system);
    await system.rest();
    return Math.min(...(await receivers.takeArrivals()).map(([, atMs]) => atMs)) - committedAtMs;
  };
  await system.prepare(targets);
  await deliver(BEFORE_BURST);
  await db.execute(sql`analyze`);
  return deliver(events);
}

/** From the commit of an event to the first bytes of its request, in milliseconds. */
export interface Latency {
  p50: number;
  p95: number;
  p99: number;
}

/** Publishes at a steady rate, whatever becomes of it, each event for the next receiver. */
export async function measureLatency(
  system: System,
  targets: readonly Target[],
  receivers: ReceiverProcess,
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<Latency> {
  const committed = new Map<string, number>();
  const startedAt = performance.now();
  const publishing: Promise<void>[] = [];
  for (let published = 0; published < perSecond * seconds; published++) {
    const dueInMs = startedAt + (published * 1000) / perSecond - performance.now();
    if (dueInMs > 0) await pause(dueInMs);
    const target = targets[published % targets.length];
    if (target === undefined) throw new Error('There is no receiver');
    publishing.push(
      system.publish(target).then(({ eventId, committedAtMs }) => void committed.set(eventId, committedAtMs)),
    );
  }
  await Promise.all(publishing);
  await untilDone(system);
  const latencies = (await receivers.takeArrivals()).map(([eventId, atMs]) => {
    const committedAtMs = committed.get(eventId);
    if (committedAtMs === undefined) throw new Error(`${eventId} arrived and was not published`);
    committed.delete(eventId);
    return atMs - committedAtMs;
  });
  if (committed.size > 0) throw new Error(`${committed.size} events of ${system.name} did not arrive`);
  return { p50: percentile(latencies, 0.5), p95: percentile(latencies, 0.95), p99: percentile(latencies, 0.99) };
}
