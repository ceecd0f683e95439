/**
 * Counts, in a process of the app, what a managed service bills: loaded before the app by `--import`, it stands beside the
 * app's code and never within it. Answers `look` on the process's message channel with its `Usage`.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import http, { type ClientRequest, type IncomingMessage, Server, type ServerResponse } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import pg from 'pg';
import { isWork, NO_USAGE, type RouteUsage, type Usage } from './usage.ts';

/** The job is near the body's beginning. */
const JOB = /"job":"([a-z-]+)"/;
const CONTINUE = '/api/queue/continue';

interface Call {
  route: string;
  seen: RouteUsage;
}

const routes = new Map<string, RouteUsage>();
const current = new AsyncLocalStorage<Call>();
let workUnderWay = 0;
let busySinceMs = 0;
let busyMs = 0;

function usageOf(route: string): RouteUsage {
  let usage = routes.get(route);
  if (usage === undefined) {
    usage = { ...NO_USAGE };
    routes.set(route, usage);
  }
  return usage;
}

function count(key: 'statements' | 'redisCommands' | 'queueMessages', times = 1): void {
  (current.getStore()?.seen ?? usageOf(''))[key] += times;
}

/** Ids and names in a path would make a route of each. */
const routeOf = (url: string): string =>
  (url.split('?', 1)[0] ?? '').replace(/\/(?:proj|inv|wh|del)_\w+|\/r[1-9A-HJ-NP-Za-km-z]{24,34}(?=\/|$)/g, '/:id');

function begin(call: Call): void {
  if (!isWork(call.route)) return;
  if (workUnderWay === 0) busySinceMs = performance.now();
  workUnderWay += 1;
}

function end(call: Call, durationMs: number): void {
  const usage = usageOf(call.route);
  usage.calls += 1;
  usage.durationMs += durationMs;
  usage.statements += call.seen.statements;
  usage.redisCommands += call.seen.redisCommands;
  usage.queueMessages += call.seen.queueMessages;
  if (!isWork(call.route)) return;
  workUnderWay -= 1;
  if (workUnderWay === 0) busyMs += performance.now() - busySinceMs;
}

/** Which job it is stands in the body, which is left to the app: it is only looked at as it arrives. */
function nameByJob(request: IncomingMessage, call: Call): void {
  const { push } = request;
  request.push = function seen(this: IncomingMessage, chunk: unknown, ...rest: []) {
    const job = chunk instanceof Buffer ? JOB.exec(chunk.toString('latin1'))?.[1] : undefined;
    if (job !== undefined) call.route = `${CONTINUE} ${job}`;
    return push.call(this, chunk, ...rest);
  };
}

const { emit } = Server.prototype;
Server.prototype.emit = function counted(this: Server, ...given: [string, ...unknown[]]) {
  if (given[0] !== 'request') return (emit as (...all: unknown[]) => boolean).apply(this, given);
  const [, request, response] = given as unknown as [string, IncomingMessage, ServerResponse];
  const call: Call = { route: routeOf(request.url ?? ''), seen: { ...NO_USAGE } };
  if (call.route === CONTINUE) nameByJob(request, call);
  const startedAt = performance.now();
  begin(call);
  response.once('close', () => end(call, performance.now() - startedAt));
  return current.run(call, () => (emit as (...all: unknown[]) => boolean).apply(this, given));
} as typeof emit;

const { query } = pg.Client.prototype;
pg.Client.prototype.query = function counted(this: pg.Client, ...given: unknown[]) {
  count('statements');
  return (query as (...all: unknown[]) => unknown).apply(this, given);
} as typeof query;

/** Of a pipeline, a transaction or a batch, the members. */
const membersOf = (body: unknown): number => {
  const parsed: unknown = typeof body === 'string' ? JSON.parse(body) : null;
  return Array.isArray(parsed) ? parsed.length : 1;
};

function countRequest(address: string, body: unknown): void {
  const { KV_REST_API_URL = '', QSTASH_URL = '' } = process.env;
  if (address.startsWith(KV_REST_API_URL)) {
    count('redisCommands', /\/(?:pipeline|multi-exec)$/.test(address) ? membersOf(body) : 1);
  } else if (address.startsWith(QSTASH_URL)) {
    const { pathname } = new URL(address);
    if (pathname.startsWith('/v2/batch')) count('queueMessages', membersOf(body));
    else if (pathname.startsWith('/v2/publish')) count('queueMessages');
  }
}

const realFetch = globalThis.fetch;
globalThis.fetch = function counted(input, init) {
  countRequest(input instanceof Request ? input.url : String(input), init?.body);
  return realFetch(input, init);
};

const realRequest = http.request;
http.request = function counted(...given: unknown[]): ClientRequest {
  const sent = (realRequest as (...all: unknown[]) => ClientRequest)(...given);
  const [url, options] = given;
  if (!(url instanceof URL)) return sent;
  const { path = '/' } = Object(options) as http.RequestOptions;
  const { end } = sent;
  sent.end = function seen(this: ClientRequest, ...rest: unknown[]) {
    countRequest(`${url.origin}${path}`, rest[0]);
    return (end as (...all: unknown[]) => ClientRequest).apply(this, rest);
  } as typeof end;
  return sent;
} as typeof http.request;
syncBuiltinESMExports();

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function look(isCollected: boolean): Usage {
  if (isCollected) collect();
  const { heapUsed, rss } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return {
    routes: Object.fromEntries(routes),
    busyMs: busyMs + (workUnderWay > 0 ? performance.now() - busySinceMs : 0),
    cpuMs: (user + system) / 1000,
    rssBytes: rss,
    heapBytes: isCollected ? heapUsed : null,
  };
}

process.on('message', (order: { look: number; isCollected: boolean }) => {
  process.send?.({ looked: order.look, usage: look(order.isCollected) });
});
process.on('disconnect', () => process.exit());
