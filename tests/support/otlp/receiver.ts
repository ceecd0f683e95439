import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import protobuf from 'protobufjs';

/** One point of a series, times in nanoseconds since the epoch. */
interface Point {
  attributes: { key: string; value: { stringValue: string } }[];
  startTimeUnixNano: string;
  timeUnixNano: string;
}
interface Points<Kind> {
  dataPoints: (Point & Kind)[];
  aggregationTemporality: string;
  isMonotonic: boolean;
}
interface Metric {
  name: string;
  unit: string;
  gauge?: Points<{ asDouble: number }>;
  sum?: Points<{ asDouble: number }>;
  histogram?: Points<{ count: string; bucketCounts: string[]; explicitBounds: number[] }>;
}

/** A request as it came. */
interface Received {
  url: string | undefined;
  headers: IncomingHttpHeaders;
  resource: Record<string, string>;
  metrics: Metric[];
}

export const attributesOf = ({ attributes }: Pick<Point, 'attributes'>): Record<string, string> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue]));

/** A server that takes OTLP over HTTP, and answers as it is told to. */
export class OtlpReceiver {
  readonly received: Received[] = [];
  answer = (response: ServerResponse): void => void response.end();
  readonly #server: Server;

  constructor(server: Server) {
    this.#server = server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

export async function startReceiver(): Promise<OtlpReceiver> {
  const root = await protobuf.load(path.join(import.meta.dirname, 'metrics.proto'));
  const type = root.lookupType('ExportMetricsServiceRequest');
  const server = createServer(async (request, response) => {
    const message = type.toObject(type.decode(await buffer(request)), { longs: String, enums: String, defaults: true });
    const [{ resource, scopeMetrics }] = message.resourceMetrics;
    receiver.received.push({
      url: request.url,
      headers: request.headers,
      resource: attributesOf(resource),
      metrics: scopeMetrics[0].metrics,
    });
    receiver.answer(response);
  });
  const receiver = new OtlpReceiver(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return receiver;
}
