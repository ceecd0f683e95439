import { HttpError } from '../http-server.ts';
import type { Numbered } from './bounded-log.ts';

const DEFAULT_COUNT = 100;
const MAX_COUNT = 1000;

type Read = (view: object) => unknown[];

const property =
  (name: string): Read =>
  (view) =>
    [Reflect.get(view, name)].flat();
const ofUrl =
  (part: 'host' | 'pathname'): Read =>
  (view) => [new URL(String(Reflect.get(view, 'url')))[part]];

// The query parameter's name, and what it is compared with.
const READ_BY_PARAMETER: Readonly<Record<string, Read>> = {
  messageId: property('messageId'),
  messageIds: property('messageId'),
  dlqIds: property('dlqId'),
  state: property('state'),
  url: property('url'),
  host: ofUrl('host'),
  path: ofUrl('pathname'),
  label: property('labels'),
  scheduleId: property('scheduleId'),
  flowControlKey: property('flowControlKey'),
  responseStatus: property('responseStatus'),
};
const PAGING = new Set(['count', 'cursor', 'order']);
const BOUNDS = new Set(['fromDate', 'toDate']);

function requireInteger(query: URLSearchParams, parameter: string, fallback: number): number {
  const number = Number(query.get(parameter) || fallback);
  if (!Number.isInteger(number)) throw new HttpError(400, `invalid ${parameter}`);
  return number;
}

/** Unix milliseconds of an event, or of a message's making. */
function timeOf(view: object): number {
  return Number(Reflect.get(view, 'time') ?? Reflect.get(view, 'createdAt'));
}

/**
 * Whether something, as it goes over the wire, meets every parameter of the query; of a parameter given several times,
 * one value is enough.
 *
 * @throws HttpError 400
 */
export function matcher(query: URLSearchParams): (view: object) => boolean {
  const fromMs = requireInteger(query, 'fromDate', 0);
  const toMs = requireInteger(query, 'toDate', Number.MAX_SAFE_INTEGER);
  const wanted = [...new Set(query.keys())]
    .filter((parameter) => !PAGING.has(parameter) && !BOUNDS.has(parameter))
    .map((parameter) => {
      const read = READ_BY_PARAMETER[parameter];
      if (read === undefined) throw new HttpError(400, `filter ${parameter} is not supported by this stand-in`);
      return { read, values: query.getAll(parameter) };
    });
  return (view) =>
    timeOf(view) >= fromMs &&
    timeOf(view) <= toMs &&
    wanted.every(({ read, values }) => read(view).some((value) => values.includes(String(value ?? ''))));
}

/** One page of what matches, newest first. The cursor is a place in the log: what comes in meanwhile moves no page. */
export function page<Entry, View extends object>(
  newestFirst: Numbered<Entry>[],
  view: (entry: Entry) => View,
  query: URLSearchParams,
): { items: View[]; cursor?: string } {
  const count = Math.min(MAX_COUNT, requireInteger(query, 'count', DEFAULT_COUNT));
  const below = requireInteger(query, 'cursor', Number.MAX_SAFE_INTEGER);
  const matches = matcher(query);
  const found: Numbered<View>[] = [];
  for (const { number, entry } of newestFirst) {
    if (number >= below) continue;
    const shown = view(entry);
    if (!matches(shown)) continue;
    const last = found.at(-1);
    // One more than fits: there is another page.
    if (found.length === count && last !== undefined) {
      return { items: found.map((one) => one.entry), cursor: String(last.number) };
    }
    found.push({ number, entry: shown });
  }
  return { items: found.map((one) => one.entry) };
}
