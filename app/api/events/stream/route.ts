import { EventStream } from '#lib/api/event-stream.ts';
import { operation, resource } from '#lib/api/route.ts';
import { streamEventsContract } from '#lib/webhooks/events/contracts.ts';
import { streamEvents } from '#lib/webhooks/events/read-events.ts';

export const maxDuration = 60;

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(streamEventsContract, async (ctx, { query, lastEventId, caller, signal }) => {
    const left = new AbortController();
    const events = streamEvents(ctx, { ...query, lastEventId, caller }, AbortSignal.any([signal, left.signal]));
    return new EventStream(events, () => left.abort());
  }),
);
