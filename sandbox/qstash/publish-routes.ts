import { z } from 'zod';
import { type HttpAnswer, HttpError } from '../http-server.ts';
import type { Broker, PublishReceipt } from './broker.ts';
import { parseDeliveryOrder, parsePublishTiming } from './publish-headers.ts';
import { publishHeaders, type Route } from './routes.ts';

const batchItem = z.object({
  destination: z.string(),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.string().nullish(),
  queue: z.never({ error: 'queues are not supported by this stand-in' }).optional(),
});

function parseBatch(body: Buffer): z.output<typeof batchItem>[] {
  try {
    return z.array(batchItem).parse(JSON.parse(body.toString('utf8')));
  } catch (error) {
    const [issue] = error instanceof z.ZodError ? error.issues : [];
    const reason = issue === undefined ? 'not JSON' : `${issue.path.join('.')}: ${issue.message}`;
    throw new HttpError(400, `invalid batch: ${reason}`);
  }
}

function answer(receipt: PublishReceipt): HttpAnswer {
  if ('error' in receipt) throw new HttpError(412, receipt.error);
  return { status: receipt.deduplicated ? 202 : 201, json: receipt };
}

/**
 * /v2/publish and /v2/batch. A batch with an invalid message is refused as a whole; of a valid one each message is taken or
 * refused by itself, and the answer says which (https://upstash.com/docs/qstash/features/batch).
 */
export function publishRoutes(broker: Broker): Route[] {
  return [
    {
      method: 'POST',
      pattern: /^\/v2\/publish\/(.+)$/,
      handle: ({ request, captured }) => {
        const headers = publishHeaders(request.headers);
        const order = parseDeliveryOrder(captured, headers, request.body);
        return answer(broker.publish(order, parsePublishTiming(headers)));
      },
    },
    {
      method: 'POST',
      pattern: /^\/v2\/batch$/,
      handle: ({ request }) => {
        const parsed = parseBatch(request.body).map((item) => {
          const headers = publishHeaders(item.headers);
          const body = Buffer.from(item.body ?? '');
          return { order: parseDeliveryOrder(item.destination, headers, body), timing: parsePublishTiming(headers) };
        });
        return { status: 201, json: parsed.map(({ order, timing }) => broker.publish(order, timing)) };
      },
    },
  ];
}
