import type { Crew } from '#tests/faults/app-crew.ts';
import type { Draw } from '#tests/faults/draw.ts';
import type { Scene } from './scene.ts';

const SKEW_MS = 600_000;
const HISTORY_LEDGERS = 20;

type End = () => void;

const nothing: End = () => undefined;

/** How each fault begins; what it gives ends it. */
const FAULTS = {
  'queue down': ({ qstash }) => injected(qstash.faults, { kind: 'down', how: 'unavailable' }),
  'queue resets': ({ qstash }) => injected(qstash.faults, { kind: 'down', how: 'reset' }),
  'queue answers lost': ({ qstash }) => injected(qstash.faults, { kind: 'down', how: 'answer_lost' }),
  'queue drops': ({ qstash }, draw) =>
    injected(qstash.faults, { kind: 'drop', probability: 0.5, seed: draw.between(1, 1_000_000) }),
  'redis down': ({ redis }, draw) =>
    injected(redis.faults, { kind: 'down', how: draw.pick(['unavailable', 'reset', 'answer_lost'] as const) }),
  'redis slow': ({ redis }) => injected(redis.faults, { kind: 'slow', milliseconds: 700 }),
  'database cut': ({ postgres }) => {
    postgres.relay.drop();
    return nothing;
  },
  'database away': ({ postgres }) => away(postgres.relay),
  'ledger lags': (scene, draw) => onServer(scene, draw, { lagLedgers: draw.between(1, 40) }),
  'ledger away': ({ ledgers }, draw) => away(draw.pick(ledgers.faulty).relay),
  'ledgers all away': ({ ledgers }) => {
    const ends = ledgers.faulty.map(({ relay }) => away(relay));
    return () => ends.forEach((end) => void end());
  },
  'ledger dropped': ({ ledgers }, draw) => {
    draw.pick(ledgers.faulty).relay.drop();
    return nothing;
  },
  'ledger lacks history': (scene, draw) => {
    const from = Math.max(1, scene.ledgers.newest() - draw.between(0, HISTORY_LEDGERS));
    return onServer(scene, draw, { missingLedgers: [{ from, to: from + draw.between(0, HISTORY_LEDGERS) }] });
  },
  'ledger narrows': (scene, draw) =>
    onServer(scene, draw, { narrowAccountTx: { dropOldest: draw.between(0, 2), dropNewest: draw.between(1, 3) } }),
  'submits lost': (scene, draw) => onServer(scene, draw, { loseSubmits: draw.between(1, 12) }),
  'submit answers lost': (scene, draw) => onServer(scene, draw, { loseSubmitAnswers: draw.between(1, 3) }),
  'ledger loaded': (scene, draw) => onServer(scene, draw, { loadFactor: draw.pick([3, 100]) }),
  'ledger slow': (scene, draw) => onServer(scene, draw, { answerDelayMs: draw.between(100, 1_500) }),
  'one clock off': ({ crew }, draw) => {
    const worker = crew.workers[draw.between(0, crew.workers.length - 1)];
    worker?.setClock(draw.pick([SKEW_MS, -SKEW_MS]));
    return () => worker?.setClock(0);
  },
  /** The same as when the queue's own clock is off. */
  'all clocks off': ({ crew }, draw) => setClocks(crew, draw.pick([SKEW_MS, -SKEW_MS])),
} satisfies Record<string, (scene: Scene, draw: Draw) => End>;

export type FaultName = keyof typeof FAULTS | 'database restart' | 'database crash';
const NAMES: readonly [FaultName, ...FaultName[]] = [
  'database restart',
  'database crash',
  ...(Object.keys(FAULTS) as (keyof typeof FAULTS)[]),
];
const LASTING = new Set<FaultName>(['one clock off', 'all clocks off', 'ledger away', 'ledger lags']);

function injected<Fault>(
  faults: { inject(fault: Fault): { id: string }; clear(id?: string): number },
  fault: Fault,
): End {
  const { id } = faults.inject(fault);
  return () => void faults.clear(id);
}

function away(relay: Scene['postgres']['relay']): End {
  relay.setAway(true);
  return () => relay.setAway(false);
}

function onServer(
  { ledgers }: Scene,
  draw: Draw,
  change: Parameters<Scene['ledgers']['clean']['faults']['set']>[0],
): End {
  const { server } = draw.pick(ledgers.faulty);
  server.faults.set(change);
  return () => void server.faults.clear();
}

/** A process that comes up meanwhile is on the same machine. */
function setClocks(crew: Crew, offsetMs: number): End {
  crew.setClocks(offsetMs);
  return () => crew.setClocks(0);
}

/** The faults that are in force, each with the rounds that it goes on for. */
export class Weather {
  readonly #scene: Scene;
  readonly #draw: Draw;
  #inForce: { name: FaultName; end: End; rounds: number }[] = [];

  constructor(scene: Scene, draw: Draw) {
    this.#scene = scene;
    this.#draw = draw;
  }

  /** Ends what is over and begins one to three others. Gives which; a restart of the database is awaited. */
  async change(): Promise<FaultName[]> {
    for (const fault of this.#inForce) fault.rounds -= 1;
    for (const { end } of this.#inForce.filter(({ rounds }) => rounds <= 0)) end();
    this.#inForce = this.#inForce.filter(({ rounds }) => rounds > 0);
    const names: FaultName[] = [];
    for (let drawn = this.#draw.between(1, 3); drawn > 0; drawn--) {
      const name = this.#draw.pick(NAMES);
      const rounds = LASTING.has(name) ? this.#draw.between(1, 3) : 1;
      if (this.#inForce.some((fault) => fault.name === name)) continue;
      names.push(name);
      if (name === 'database restart' || name === 'database crash') {
        await this.#scene.postgres.restart(name === 'database crash' ? 'crash' : 'restart');
        continue;
      }
      this.#inForce.push({ name, end: FAULTS[name](this.#scene, this.#draw), rounds });
    }
    return names;
  }

  clear(): void {
    for (const { end } of this.#inForce) end();
    this.#inForce = [];
  }
}
