import type { EventData } from './catalogue.ts';
import type { NewEvent } from './envelope.ts';

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
