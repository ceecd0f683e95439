import { derivedId } from '@tranche/rules/ids.ts';
import type { EventData, EventType } from './catalogue.ts';

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

/** `InvestmentConfirmed` for `investment.confirmed`. */
export const typeName = (type: EventType): string =>
  type.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());
