import { Agent } from 'undici';

/** People and programs that read pages and the interface, at a steady rate whatever becomes of it. */

export type ReadersOrder = { kind: 'read'; paths: string[]; perSecond: number } | { kind: 'stop' };

export interface Reads {
  /** From the request to the last byte, of those that were answered 200. */
  latenciesMs: number[];
  /** Others, by what they were answered. */
  failures: Record<string, number>;
}

const CONNECTIONS = 32;
const TIMEOUT_MS = 30_000;

const { baseUrl } = JSON.parse(process.argv[2] ?? '') as { baseUrl: string };
const agent = new Agent({
  connections: CONNECTIONS,
  pipelining: 1,
  headersTimeout: TIMEOUT_MS,
  bodyTimeout: TIMEOUT_MS,
});
let reads: Reads = { latenciesMs: [], failures: {} };
let timer: NodeJS.Timeout | undefined;
const underWay = new Set<Promise<void>>();

async function read(path: string): Promise<void> {
  const askedAt = performance.now();
  const fail = (why: string): void => {
    reads.failures[why] = (reads.failures[why] ?? 0) + 1;
  };
  try {
    const { statusCode, body } = await agent.request({ origin: baseUrl, path, method: 'GET' });
    await body.arrayBuffer();
    if (statusCode === 200) reads.latenciesMs.push(performance.now() - askedAt);
    else fail(`${statusCode} ${path}`);
  } catch (error) {
    fail(`${error instanceof Error && 'code' in error ? String(error.code) : 'no answer'} ${path}`);
  }
}

async function stop(): Promise<Reads> {
  clearInterval(timer);
  await Promise.all(underWay);
  const taken = reads;
  reads = { latenciesMs: [], failures: {} };
  return taken;
}

function begin(paths: readonly string[], perSecond: number): void {
  if (perSecond === 0) return;
  let asked = 0;
  timer = setInterval(() => {
    const one = read(paths[asked % paths.length] ?? '/').finally(() => underWay.delete(one));
    underWay.add(one);
    asked += 1;
  }, 1000 / perSecond);
}

process.on('message', (order: ReadersOrder) => {
  if (order.kind === 'read') {
    begin(order.paths, order.perSecond);
    process.send?.('begun');
  } else {
    void stop().then((taken) => process.send?.(taken));
  }
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
