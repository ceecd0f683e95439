import { HttpError } from '../http-server.ts';
import type { Broker } from './broker.ts';
import type { EventLog } from './event-log.ts';
import { matcher, page } from './filters.ts';
import type { DeadLetter } from './message.ts';
import type { Route } from './routes.ts';
import { deadLetterView, messageView } from './wire-views.ts';

function messageRoutes(broker: Broker): Route[] {
  return [
    {
      method: 'GET',
      pattern: /^\/v2\/messages\/([^/?]+)$/,
      handle: ({ captured }) => {
        const message = broker.get(captured);
        if (message === undefined) throw new HttpError(404, `message ${captured} not found`);
        return { status: 200, json: messageView(message) };
      },
    },
    {
      method: 'DELETE',
      pattern: /^\/v2\/messages\/([^/?]+)$/,
      handle: ({ captured }) => {
        if (!broker.cancel(captured)) throw new HttpError(404, `message ${captured} not found`);
        return { status: 200, json: { cancelled: 1 } };
      },
    },
    {
      method: 'DELETE',
      pattern: /^\/v2\/messages(?:\?.*)?$/,
      handle: ({ query }) => {
        const matches = matcher(query);
        const chosen = broker.open().filter((message) => matches(messageView(message)));
        return { status: 200, json: { cancelled: chosen.filter(({ messageId }) => broker.cancel(messageId)).length } };
      },
    },
  ];
}

function deadLetterRoutes(broker: Broker): Route[] {
  const take = (dlqId: string): DeadLetter => {
    const letter = broker.deadLetters.get(dlqId);
    if (letter === undefined) throw new HttpError(404, `dlq message ${dlqId} not found`);
    return letter;
  };
  const chosen = (query: URLSearchParams): DeadLetter[] => {
    const matches = matcher(query);
    return broker.deadLetters
      .newestFirst()
      .map(({ entry }) => entry)
      .filter((letter) => matches(deadLetterView(letter)));
  };
  return [
    {
      method: 'GET',
      pattern: /^\/v2\/dlq(?:\?.*)?$/,
      handle: ({ query }) => {
        const { items, ...paging } = page(broker.deadLetters.newestFirst(), deadLetterView, query);
        return { status: 200, json: { messages: items, ...paging } };
      },
    },
    {
      method: 'POST',
      pattern: /^\/v2\/dlq\/retry(?:\?.*)?$/,
      handle: ({ query }) => {
        const responses = chosen(query).map(({ dlqId, message }) => {
          broker.deadLetters.delete(dlqId);
          return broker.publish({ ...message, delaySeconds: 0 }, { contentBasedDeduplication: false });
        });
        return { status: 200, json: { responses } };
      },
    },
    {
      method: 'DELETE',
      pattern: /^\/v2\/dlq(?:\?.*)?$/,
      handle: ({ query }) => {
        const deleted = chosen(query).filter(({ dlqId }) => broker.deadLetters.delete(dlqId)).length;
        return { status: 200, json: { deleted } };
      },
    },
    {
      method: 'GET',
      pattern: /^\/v2\/dlq\/([^/?]+)$/,
      handle: ({ captured }) => ({ status: 200, json: deadLetterView(take(captured)) }),
    },
    {
      method: 'DELETE',
      pattern: /^\/v2\/dlq\/([^/?]+)$/,
      handle: ({ captured }) => {
        broker.deadLetters.delete(take(captured).dlqId);
        return { status: 200 };
      },
    },
  ];
}

/** /v2/messages, /v2/dlq and /v2/events. */
export function observationRoutes(broker: Broker, events: EventLog): Route[] {
  return [
    ...messageRoutes(broker),
    ...deadLetterRoutes(broker),
    {
      method: 'GET',
      pattern: /^\/v2\/events(?:\?.*)?$/,
      handle: ({ query }) => {
        const { items, ...paging } = page(events.newestFirst(), (event) => event, query);
        return { status: 200, json: { events: items, ...paging } };
      },
    },
  ];
}
