import { z } from 'zod';

/** An event as it stands on the wire. */
const shown = (name: string): string => `event: ${name}\ndata: {…}\n\n`;

/**
 * How the document describes server-sent events: JSON Schema knows no such body, so each event's data is described in words
 * and, for programs, by its schema in `x-events`.
 */
export function eventText(events: Readonly<Record<string, z.ZodType>>): z.ZodType {
  const names = Object.keys(events);
  const lines = Object.entries(events).map(
    ([name, schema]) => `- \`${name}\`: ${z.globalRegistry.get(schema)?.description ?? ''}`,
  );
  return z.string().meta({
    description: [
      'Server-sent events for `Accept: text/event-stream`; `data` is one line of JSON. Lines that begin with a colon only keep the connection open.',
      ...lines,
    ].join('\n'),
    example: names.map(shown).join(''),
    'x-events': Object.fromEntries(
      Object.entries(events).map(([name, schema]) => {
        const { $schema: _, ...described } = z.toJSONSchema(schema, { io: 'output' });
        return [name, described];
      }),
    ),
  });
}
