import { median } from '../webhooks/percentile.ts';
import { BARE_PATH } from './build.ts';
import { ask, type Call, load, type Throughput } from './load.ts';
import type { Server } from './server.ts';
import type { Stage } from './stage.ts';

const CONNECTIONS = 16;
const WARM_UP_SECONDS = 1;

/** A read under load. */
export interface Hot {
  name: string;
  perSecond: number;
  p99Ms: number;
  /** Requests a second to those of the bare handler right before. */
  ratio: number;
  /** Requests in a second of the server's processor time, to the same of the bare handler. */
  cpuRatio: number;
}

const get = (path: string, headers: Record<string, string> = {}): Call => ({
  method: 'GET',
  path,
  headers,
  body: null,
});

/**
 * The reads that sites and receivers repeat. The log of deliveries looks at a credential, and a new Platform ID shows at once, so no
 * answer of these is kept.
 */
export const hotReads = (stage: Stage): Map<string, Call> =>
  new Map([
    ['system status', get('/api/system/status')],
    ['Platform ID profile (kept nowhere)', get(`/api/platform-id/profile/${stage.walletAddress}`)],
    ['project', get(`/api/projects/${stage.projectId}`)],
    [
      'deliveries (kept nowhere)',
      get(`/webhooks/${stage.webhookId}/deliveries`, { authorization: `Bearer ${stage.apiKey}` }),
    ],
  ]);

interface Rounds {
  rounds: number;
  seconds: number;
}

type Measured = Throughput & { perCpuMs: number };

/** Bare, read, bare, read …, so often; medians. */
async function measureRead(server: Server, name: string, call: Call, { rounds, seconds }: Rounds): Promise<Hot> {
  const { url } = server;
  const measure = async (asked: Call) => {
    const before = await server.cpuMs();
    const throughput = await load(url, asked, CONNECTIONS, seconds);
    return { ...throughput, perCpuMs: throughput.requests / ((await server.cpuMs()) - before) };
  };
  await load(url, call, CONNECTIONS, WARM_UP_SECONDS);
  const pairs: { bare: Measured; read: Measured }[] = [];
  for (let round = 0; round < rounds; round++) {
    const bare = await measure(get(BARE_PATH));
    pairs.push({ bare, read: await measure(call) });
  }
  return {
    name,
    perSecond: median(pairs.map(({ read }) => read.perSecond)),
    p99Ms: median(pairs.map(({ read }) => read.p99Ms)),
    ratio: median(pairs.map(({ bare, read }) => read.perSecond / bare.perSecond)),
    cpuRatio: median(pairs.map(({ bare, read }) => read.perCpuMs / bare.perCpuMs)),
  };
}

/** Every read that answers 200 beside the bare handler; the names of those that do not, with their status. */
export async function measureHot(
  server: Server,
  reads: ReadonlyMap<string, Call>,
  rounds: Rounds,
): Promise<{ measured: Hot[]; left: string[] }> {
  const [measured, left]: [Hot[], string[]] = [[], []];
  for (const [name, call] of reads) {
    const status = await ask(server.url, call);
    if (status === 200) measured.push(await measureRead(server, name, call, rounds));
    else left.push(`${name}: answers ${status}`);
  }
  return { measured, left };
}
