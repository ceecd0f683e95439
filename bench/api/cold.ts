import { median } from '../webhooks/percentile.ts';
import { BARE_PATH } from './build.ts';
import { ask, type Call } from './load.ts';
import { startServer } from './server.ts';

const BARE: Call = { method: 'GET', path: BARE_PATH, headers: {}, body: null };
/** Routes that share one measurement of the bare handler: what slows the machine down for a while slows both. */
const GROUP = 4;
/** Rounds more of a first answer that is over the target, for each of the first ones (`--rounds` says so too). */
const FURTHER = 3;

interface FirstAnswer {
  ms: number;
  cpuMs: number;
  status: number;
}

type Settings = Record<string, string | undefined>;

async function firstAnswer(settings: Settings, call: Call): Promise<FirstAnswer> {
  const server = await startServer(settings);
  try {
    const cpuBeforeMs = await server.cpuMs();
    const askedAt = performance.now();
    const status = await ask(server.url, call);
    const ms = performance.now() - askedAt;
    return { ms, cpuMs: (await server.cpuMs()) - cpuBeforeMs, status };
  } finally {
    await server.end();
  }
}

/** A route's first answer. */
export interface Cold {
  route: string;
  status: number;
  ms: number;
  /** To the bare handler's, each in a fresh process. */
  ratio: number;
  /** The same of processor time. */
  cpuRatio: number;
  rounds: number;
}

type Seen = FirstAnswer & { ratio: number; cpuRatio: number };

async function measureRounds(
  settings: Settings,
  calls: readonly (readonly [route: string, Call])[],
  rounds: number,
  seen: Map<string, Seen[]>,
): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    let bare: FirstAnswer = { ms: 0, cpuMs: 0, status: 0 };
    for (const [index, [route, call]] of calls.entries()) {
      if (index % GROUP === 0) bare = await firstAnswer(settings, BARE);
      const answer = await firstAnswer(settings, call);
      const ratios = { ratio: answer.ms / bare.ms, cpuRatio: answer.cpuMs / bare.cpuMs };
      seen.set(route, [...(seen.get(route) ?? []), { ...answer, ...ratios }]);
    }
  }
}

const medianRatio = (answers: readonly Seen[] = []): number => median(answers.map(({ ratio }) => ratio));

/**
 * From the request to the whole answer of a fresh process, for each call; medians over the rounds. The largest of many medians is
 * mostly chance: what is over `most` times the bare handler is measured in `FURTHER` times as many rounds more, and counts with all.
 */
export async function measureCold(
  settings: Settings,
  calls: ReadonlyMap<string, Call>,
  { rounds, most }: { rounds: number; most: number },
): Promise<Cold[]> {
  const seen = new Map<string, Seen[]>();
  await measureRounds(settings, [...calls], rounds, seen);
  const late = [...calls].filter(([route]) => medianRatio(seen.get(route)) > most);
  await measureRounds(settings, late, rounds * FURTHER, seen);
  return [...seen].map(([route, answers]) => ({
    route,
    status: answers[0]?.status ?? 0,
    ms: median(answers.map(({ ms }) => ms)),
    ratio: medianRatio(answers),
    cpuRatio: median(answers.map(({ cpuRatio }) => cpuRatio)),
    rounds: answers.length,
  }));
}
