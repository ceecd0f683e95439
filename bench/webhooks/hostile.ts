import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { textArray } from '#lib/base/bulk.ts';
import { wakeDispatch } from '#lib/webhooks/delivery/wake.ts';
import type { Usage } from './app-process.ts';
import { HOSTILE_BEHAVIOURS, type HostileBehaviour } from './hostile-behaviours.ts';
import { type Latency, measureLatency } from './measure.ts';
import { openPlatform } from './platform.ts';
import type { ReceiverProcess } from './receiver-process.ts';
import type { Target, World } from './world.ts';

/** Each webhook beside has an event so often: where one attempt after the other hangs, backlogs grow. */
const EVENT_EVERY_MS = 200;
const POLL_MS = 100;

interface Steady {
  perSecond: number;
  seconds: number;
}

/** The longest attempt against a receiver, in milliseconds, and how many there were. */
export type Attempts = { manner: HostileBehaviour; longestMs: number; attempts: number };

async function publishUntil(world: World, targets: readonly Target[], isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await Promise.all(targets.map(({ projectId }) => world.publish(1, projectId)));
    await wakeDispatch(world.ctx);
    await pause(EVENT_EVERY_MS);
  }
}

/** Takes away what still waits, and waits for the attempts under way. */
async function endAll({ database: { db } }: World): Promise<void> {
  await db.execute(sql`update webhooks set active = false`);
  for (;;) {
    const { rows } = await db.execute(sql`select from deliveries where leased_until is not null limit 1`);
    if (rows.length === 0) return;
    await pause(POLL_MS);
  }
}

/** What the attempts against receivers of every hostile manner, in order, came to. */
export async function attemptsAt({ database: { db } }: World, hostile: readonly Target[]): Promise<Attempts[]> {
  const { rows } = await db.execute<{ webhookId: string; longestMs: number; attempts: number }>(sql`
    select d.webhook_id as "webhookId", max(a.duration_ms) as "longestMs", count(*)::integer as attempts
    from deliveries d join delivery_attempts a on a.delivery_id = d.id
    where d.webhook_id = any (${textArray(hostile.map(({ webhookId }) => webhookId))}) group by 1`);
  return HOSTILE_BEHAVIOURS.map((manner, n) => {
    const found = rows.find(({ webhookId }) => webhookId === hostile[n]?.webhookId);
    return { manner, longestMs: found?.longestMs ?? 0, attempts: found?.attempts ?? 0 };
  });
}

/** What healthy receivers saw, and what the app used meanwhile. */
export interface Measured {
  latency: Latency;
  usage: Usage;
}

async function measure(
  world: World,
  targets: readonly Target[],
  healthy: ReceiverProcess,
  steady: Steady,
): Promise<Measured> {
  const platform = openPlatform(world);
  await platform.prepare(targets);
  await world.takeUsage();
  const latency = await measureLatency(platform, targets, healthy, steady);
  return { latency, usage: await world.takeUsage() };
}

/** Healthy receivers by themselves. */
export const measureAlone = async (world: World, healthy: ReceiverProcess, steady: Steady): Promise<Measured> =>
  measure(world, await world.register(healthy.urls), healthy, steady);

/** The same receivers, while others of another tenant have events of their own. Gives what it measured, and the webhooks of those others. */
export async function measureBeside(
  world: World,
  healthy: ReceiverProcess,
  others: ReceiverProcess,
  steady: Steady,
): Promise<Measured & { beside: Target[] }> {
  const targets = await world.register(healthy.urls, others.urls);
  const [good, beside] = [targets.slice(0, healthy.urls.length), targets.slice(healthy.urls.length)];
  let isOver = false;
  const publishing = publishUntil(world, beside, () => isOver);
  const measured = await measure(world, good, healthy, steady);
  isOver = true;
  await publishing;
  await endAll(world);
  await others.takeArrivals();
  return { ...measured, beside };
}
