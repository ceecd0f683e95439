import {
  ADMINISTRATOR_EVENT_TYPES,
  EVENT_DESCRIPTIONS,
  EVENT_TYPES,
  type EventType,
  TENANT_EVENT_TYPES,
} from '#lib/events/catalogue.ts';
import { type EventTypeEntry, eventTypeEntry } from '#lib/webhooks/contracts.ts';
import { exampleOf } from '#lib/webhooks/testing/samples.ts';

/** The category that a type's name begins with. */
const categoryOf = (type: EventType) => eventTypeEntry.unwrap().shape.category.parse(type.split('.', 1)[0]);

function recipientsOf(type: EventType): EventTypeEntry['recipients'] {
  if (ADMINISTRATOR_EVENT_TYPES.includes(type)) return 'administrators';
  return TENANT_EVENT_TYPES.includes(type) ? 'owner' : 'everyone';
}

/** Every event type there is, in the order of the catalogue. */
export const listEventTypes = async (): Promise<{ event_types: EventTypeEntry[] }> => ({
  event_types: EVENT_TYPES.map((type) => ({
    type,
    category: categoryOf(type),
    description: EVENT_DESCRIPTIONS[type],
    recipients: recipientsOf(type),
    example: exampleOf(type),
  })),
});
