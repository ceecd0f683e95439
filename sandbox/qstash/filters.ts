import { HttpError } from './http-server.ts';

const DEFAULT_COUNT = 100;
const MAX_COUNT = 1000;

// The query parameter's name, and the property it is compared with.
const PROPERTY_BY_PARAMETER: Readonly<Record<string, string>> = {
  messageId: 'messageId',
  messageIds: 'messageId',
  dlqIds: 'dlqId',
  state: 'state',
  url: 'url',
  label: 'label',
  scheduleId: 'scheduleId',
  flowControlKey: 'flowControlKey',
};
const PAGING = new Set(['count', 'cursor', 'order']);

/** Whether something, as it goes over the wire, meets every parameter of the query. @throws HttpError 400 */
export function matcher(query: URLSearchParams): (view: object) => boolean {
  const wanted = [...new Set(query.keys())]
    .filter((parameter) => !PAGING.has(parameter))
    .map((parameter) => {
      const property = PROPERTY_BY_PARAMETER[parameter];
      if (property === undefined) throw new HttpError(400, `filter ${parameter} is not supported by this stand-in`);
      return { property, values: query.getAll(parameter) };
    });
  return (view) => wanted.every(({ property, values }) => values.includes(String(Reflect.get(view, property) ?? '')));
}

/** One page of what matches; the cursor is the number of entries already given. */
export function page<View extends object>(views: View[], query: URLSearchParams): { items: View[]; cursor?: string } {
  const count = Math.min(MAX_COUNT, Number(query.get('count') ?? DEFAULT_COUNT));
  const start = Number(query.get('cursor') || 0);
  if (!Number.isInteger(count) || !Number.isInteger(start)) throw new HttpError(400, 'invalid count or cursor');
  const matching = views.filter(matcher(query));
  const end = start + count;
  return { items: matching.slice(start, end), ...(end < matching.length && { cursor: String(end) }) };
}
