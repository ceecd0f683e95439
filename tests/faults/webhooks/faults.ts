import type { QStashFault, QStashFaults } from '#sandbox/qstash/faults.ts';
import type { RedisFaults } from '#sandbox/redis/faults.ts';
import type { Draw } from '#tests/faults/draw.ts';

const MOST_COPIES = 5;

/** The queue's callbacks come one to five times and in any order, all through the campaign. */
export function scramble(qstash: QStashFaults, draw: Draw): void {
  const seed = draw.between(1, 1_000_000);
  for (let copies = 2; copies <= MOST_COPIES; copies++) {
    const common = { kind: 'duplicate', times: copies, seed: seed + copies, probability: 0.15 } as const;
    qstash.inject({ ...common, together: copies % 2 === 0 });
  }
  for (const behind of [1, 5, 20]) {
    qstash.inject({ kind: 'reorder', behind, forSeconds: 30, probability: 0.15, seed: seed + 10 * behind });
  }
  qstash.inject({ kind: 'delay', seconds: 90, probability: 0.05, seed });
}

/** What may be wrong with the services for one round. */
const OUTAGES = [
  'queue down',
  'redis down',
  'queue answers lost',
  'redis slow',
  'queue resets',
  'queue drops',
] as const;
export type Outage = (typeof OUTAGES)[number];

const ON_QUEUE: Partial<Record<Outage, QStashFault>> = {
  'queue down': { kind: 'down', how: 'unavailable' },
  'queue resets': { kind: 'down', how: 'reset' },
  'queue answers lost': { kind: 'down', how: 'answer_lost' },
  'queue drops': { kind: 'drop', probability: 0.5 },
};

/** Puts the outage of this round (from 0) in force, all of them by turns, and by chance another. Gives which. */
export function breakServices(
  services: { qstash: QStashFaults; redis: RedisFaults },
  draw: Draw,
  round: number,
): Outage[] {
  const broken = new Set(OUTAGES.filter((_, index) => index === round % OUTAGES.length));
  if (draw.chance(0.5)) broken.add(draw.pick(OUTAGES));
  for (const outage of broken) {
    const fault = ON_QUEUE[outage];
    if (fault !== undefined) services.qstash.inject(fault);
    if (outage === 'redis down') services.redis.inject({ kind: 'down', how: draw.pick(['unavailable', 'reset']) });
    if (outage === 'redis slow') services.redis.inject({ kind: 'slow', milliseconds: 500 });
  }
  return [...broken];
}

/** Ends the outages; what `scramble` did stays. */
export function mendServices(services: { qstash: QStashFaults; redis: RedisFaults }): void {
  services.redis.clear();
  for (const { id, kind } of services.qstash.list()) {
    if (kind === 'down' || kind === 'drop') services.qstash.clear(id);
  }
}
