import type { QStashFault, QStashFaults } from '#sandbox/qstash/faults.ts';
import type { RedisFaults } from '#sandbox/redis/faults.ts';
import type { Crew } from './crew.ts';
import type { Draw } from './draw.ts';
import type { Ledgers } from './ledgers.ts';
import type { RestartablePostgres } from './postgres.ts';
import type { Relay } from './relay.ts';
import { WITNESS_FAULTS, type Witnesses, type WitnessFault } from './witnesses.ts';

const SKEW_MS = 600_000;
const HISTORY_LEDGERS = 20;

/** What faults strike. A scenario names only faults of the services that it has. */
export interface Services {
  postgres?: RestartablePostgres;
  ledgers?: Ledgers;
  qstash?: { faults: QStashFaults };
  redis?: { faults: RedisFaults };
  crew?: Crew;
  witnesses?: Witnesses;
}

type End = () => void;
const nothing: End = () => undefined;

const onQueue = (fault: QStashFault) => (services: Required<Services>) => injected(services.qstash.faults, fault);

/** How each fault begins; what it gives ends it. */
const FAULTS = {
  'queue down': onQueue({ kind: 'down', how: 'unavailable' }),
  'queue resets': onQueue({ kind: 'down', how: 'reset' }),
  'queue answers lost': onQueue({ kind: 'down', how: 'answer_lost' }),
  'queue drops': ({ qstash }, draw) =>
    injected(qstash.faults, { kind: 'drop', probability: 0.5, seed: draw.between(1, 1_000_000) }),
  'redis down': ({ redis }, draw) =>
    injected(redis.faults, { kind: 'down', how: draw.pick(['unavailable', 'reset', 'answer_lost'] as const) }),
  'redis slow': ({ redis }) => injected(redis.faults, { kind: 'slow', milliseconds: 700 }),
  'database restart': ({ postgres }) => postgres.restart('restart').then(() => nothing),
  'database crash': ({ postgres }) => postgres.restart('crash').then(() => nothing),
  'database cut': ({ postgres }) => {
    postgres.relay.drop();
    return nothing;
  },
  'database away': ({ postgres }) => away(postgres.relay),
  'ledger lags': (services, draw) => onServer(services, draw, { lagLedgers: draw.between(1, 40) }),
  'ledger away': ({ ledgers }, draw) => away(draw.pick(ledgers.faulty).relay),
  'ledgers all away': ({ ledgers }) => {
    const ends = ledgers.faulty.map(({ relay }) => away(relay));
    return () => ends.forEach((end) => void end());
  },
  'ledger dropped': ({ ledgers }, draw) => {
    draw.pick(ledgers.faulty).relay.drop();
    return nothing;
  },
  /** The first address leads to either machine from now on. */
  'ledger switched': ({ ledgers }, draw) => {
    ledgers.faulty[0].relay.switchTo(draw.pick(ledgers.faulty).server.port);
    return nothing;
  },
  'ledger lacks history': (services, draw) => {
    const from = Math.max(1, services.ledgers.newest() - draw.between(0, HISTORY_LEDGERS));
    return onServer(services, draw, { missingLedgers: [{ from, to: from + draw.between(0, HISTORY_LEDGERS) }] });
  },
  'ledger narrows': (services, draw) =>
    onServer(services, draw, { narrowAccountTx: { dropOldest: draw.between(0, 2), dropNewest: draw.between(1, 3) } }),
  'submits lost': (services, draw) => onServer(services, draw, { loseSubmits: draw.between(1, 12) }),
  'submit answers lost': (services, draw) => onServer(services, draw, { loseSubmitAnswers: draw.between(1, 3) }),
  'ledger loaded': (services, draw) => onServer(services, draw, { loadFactor: draw.pick([3, 100]) }),
  /** It asks for more than the highest fee that is paid. */
  'ledger overloaded': (services, draw) => onServer(services, draw, { loadFactor: 100_000 }),
  'ledger slow': (services, draw) => onServer(services, draw, { answerDelayMs: draw.between(100, 1_500) }),
  'one clock off': ({ crew }, draw) => {
    const worker = crew.workers[draw.between(0, crew.workers.length - 1)];
    worker?.setClock(draw.pick([SKEW_MS, -SKEW_MS]));
    return () => worker?.setClock(0);
  },
  /** The same as when the queue's own clock is off. A process that comes up meanwhile is on the same machine. */
  'all clocks off': ({ crew }, draw) => {
    crew.setClocks(draw.pick([SKEW_MS, -SKEW_MS]));
    return () => crew.setClocks(0);
  },
} satisfies Record<string, (services: Required<Services>, draw: Draw) => End | Promise<End>>;

type FaultOfWitness = `witness ${WitnessFault}` | 'witnesses lie';
const ofWitness = (fault: WitnessFault) => [
  `witness ${fault}` as const,
  ({ witnesses }: Required<Services>, draw: Draw): End => witnesses.strike(fault, draw),
];
const FAULTS_OF_WITNESSES: Record<FaultOfWitness, (services: Required<Services>, draw: Draw) => End> = {
  ...Object.fromEntries(WITNESS_FAULTS.map(ofWitness)),
  'witnesses lie': ({ witnesses }) => witnesses.deceive(),
};

export type FaultName = keyof typeof FAULTS | FaultOfWitness;
/** Of all that every scenario may have. */
export const FAULT_NAMES = Object.keys(FAULTS) as [FaultName, ...FaultName[]];
export const WITNESS_FAULT_NAMES = Object.keys(FAULTS_OF_WITNESSES) as [FaultOfWitness, ...FaultOfWitness[]];

function injected<Fault>(
  faults: { inject(fault: Fault): { id: string }; clear(id?: string): number },
  fault: Fault,
): End {
  const { id } = faults.inject(fault);
  return () => void faults.clear(id);
}

function away(relay: Relay): End {
  relay.setAway(true);
  return () => relay.setAway(false);
}

function onServer(
  { ledgers }: Required<Services>,
  draw: Draw,
  change: Parameters<Ledgers['clean']['faults']['set']>[0],
): End {
  const { server } = draw.pick(ledgers.faulty);
  server.faults.set(change);
  return () => void server.faults.clear();
}

/** The faults that are in force, each with the rounds that it goes on for. */
export class Weather {
  readonly #services: Services;
  readonly #draw: Draw;
  #inForce: { name: FaultName; end: End; rounds: number }[] = [];

  constructor(services: Services, draw: Draw) {
    this.#services = services;
    this.#draw = draw;
  }

  /** Ends what is over and begins others, but those that go on. Gives which; a restart of the database is awaited. */
  async change(wanted: readonly { name: FaultName; rounds: number }[]): Promise<FaultName[]> {
    for (const fault of this.#inForce) fault.rounds -= 1;
    for (const { end } of this.#inForce.filter(({ rounds }) => rounds <= 0)) end();
    this.#inForce = this.#inForce.filter(({ rounds }) => rounds > 0);
    const begun: FaultName[] = [];
    for (const { name, rounds } of wanted) {
      if (this.#inForce.some((fault) => fault.name === name)) continue;
      begun.push(name);
      const end = await { ...FAULTS, ...FAULTS_OF_WITNESSES }[name](this.#services as Required<Services>, this.#draw);
      this.#inForce.push({ name, end, rounds });
    }
    return begun;
  }

  clear(): void {
    for (const { end } of this.#inForce) end();
    this.#inForce = [];
  }
}

const MOST_COPIES = 5;

/** The queue's callbacks come one to five times and in any order, all through a play. */
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
