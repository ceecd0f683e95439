import { derivedId } from '@tranche/rules/ids.ts';
import { z } from 'zod';
import { EVENT_CATALOGUE, EVENT_DESCRIPTIONS, EVENT_TYPES, type EventData, type EventType } from './catalogue.ts';

/** The one version there is today (docs/webhooks.md#receive). */
export const API_VERSION = '2026-11';

/** An event as a verb reports it. */
export interface NewEvent<T extends EventType = EventType> {
  type: T;
  /** What it is about: with the type it makes the event's id, so the same fact cannot be reported twice. */
  subject: string;
  projectId: string | null;
  /** Time of the fact: a ledger close time where there is one. */
  occurredAt: Date;
  data: EventData[T];
}

export const eventId = (type: EventType, subject: string): string => derivedId('evt', type, subject);

/** The body as sent: serialised once, compact; these bytes are stored, signed and sent on every attempt. */
export function serialiseEvent(event: NewEvent, id: string, extra: { test?: true } = {}): string {
  return JSON.stringify({
    event_type: event.type,
    event_id: id,
    timestamp: event.occurredAt.toISOString(),
    api_version: API_VERSION,
    ...extra,
    data: event.data,
  });
}

/** A `system.alert`. The same `subject` of the same kind is never sent twice. */
export const alertEvent = (
  subject: string,
  occurredAtMs: number,
  data: EventData['system.alert'],
): NewEvent<'system.alert'> => ({
  type: 'system.alert',
  subject: `${data.kind}:${subject}`,
  projectId: null,
  occurredAt: new Date(occurredAtMs),
  data,
});

/** The whole body of one event type as it is sent (docs/webhooks.md#receive). */
const envelopeOf = (type: EventType) =>
  z.lazy(() =>
    z
      .object({
        event_type: z.literal(type),
        event_id: z.string().meta({
          description: 'The same on every attempt: use it to drop duplicates',
          example: 'evt_4qUZk0r2bJ8sVd1mX7nTqL',
        }),
        timestamp: z.iso.datetime().meta({ description: 'Time of the fact, ISO 8601 UTC' }),
        api_version: z.literal(API_VERSION),
        test: z.literal(true).optional().meta({ description: 'Only in test events' }),
        data: EVENT_CATALOGUE[type],
      })
      .meta({ id: `${typeName(type)}Event`, description: EVENT_DESCRIPTIONS[type] }),
  );

/** `InvestmentConfirmed` for `investment.confirmed`. */
export const typeName = (type: EventType): string =>
  type.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The body of each event type. */
export const EVENT_ENVELOPES = Object.fromEntries(EVENT_TYPES.map((type) => [type, envelopeOf(type)])) as Record<
  EventType,
  ReturnType<typeof envelopeOf>
>;
