import { Client } from 'undici';
import { percentile } from '../webhooks/percentile.ts';

/** What a server did under load. */
export interface Throughput {
  requests: number;
  perSecond: number;
  p99Ms: number;
}

export interface Call {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  path: string;
  headers: Record<string, string>;
  body: string | null;
}

/** One call over a connection of its own, to its answer's last byte: of events that go on, to the first. Gives the status. */
export async function ask(url: string, call: Call): Promise<number> {
  const client = new Client(url);
  const { statusCode, headers, body } = await client.request(call);
  const goesOn = String(headers['content-type']).startsWith('text/event-stream');
  for await (const _ of body) if (goesOn) break;
  await (goesOn ? client.destroy() : client.close());
  return statusCode;
}

/** Asks over so many connections, each again as soon as it has its answer. Throws for an answer other than 200. */
export async function load(url: string, call: Call, connections: number, seconds: number): Promise<Throughput> {
  const latencies: number[] = [];
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new Client(url);
      while (performance.now() < endsAt) {
        const askedAt = performance.now();
        const { statusCode, body } = await client.request(call);
        const text = await body.text();
        if (statusCode !== 200) throw new Error(`${call.path} answered ${statusCode}: ${text}`);
        latencies.push(performance.now() - askedAt);
      }
      await client.close();
    }),
  );
  return {
    requests: latencies.length,
    perSecond: (latencies.length / (performance.now() - startedAt)) * 1000,
    p99Ms: percentile(latencies, 0.99),
  };
}
