import { Broker } from './broker.ts';
import { CallbackClient } from './callback-client.ts';
import { VirtualClock } from './clock.ts';
import { EventLog } from './event-log.ts';
import { HttpError, type RunningHttpServer, serveJson } from './http-server.ts';
import { observationRoutes } from './message-routes.ts';
import { publishRoutes } from './publish-routes.ts';
import { dispatch } from './routes.ts';
import { sandboxRoutes } from './sandbox-routes.ts';
import { scheduleRoutes } from './schedule-routes.ts';
import { Schedules } from './schedules.ts';

// Room for a batch of large messages; each message has its own limit.
const MAX_REQUEST_BYTES = 32 * 1024 * 1024;

export interface QStashOptions {
  /** 0 or absent takes a free port. */
  port?: number | undefined;
  host?: string | undefined;
  /** What publishers send as `Authorization: Bearer`. */
  token: string;
  /** Callbacks are signed with this one. */
  currentSigningKey: string;
  nextSigningKey: string;
}

/**
 * Starts QStash's REST protocol on a port of its own. It keeps everything in memory, runs on a clock that
 * `POST /sandbox/advance` moves, and makes real, signed HTTP callbacks. `/sandbox/…` needs no token.
 *
 * @throws when the port is taken
 */
export async function startQStash(options: QStashOptions): Promise<RunningHttpServer> {
  const clock = new VirtualClock();
  const events = new EventLog(clock);
  const client = new CallbackClient(options.currentSigningKey);
  const broker = new Broker(clock, client, events);
  const schedules = new Schedules(clock, ({ order, scheduleId }, atMs) => {
    broker.enqueue(order, { createdAtMs: atMs, dueAtMs: atMs + order.delaySeconds * 1000, scheduleId });
  });
  const openRoutes = sandboxRoutes(clock, broker, schedules);
  const routes = [
    ...publishRoutes(broker),
    ...observationRoutes(broker, events),
    ...scheduleRoutes(schedules),
    {
      method: 'GET',
      pattern: /^\/v2\/keys$/,
      handle: () => ({ status: 200, json: { current: options.currentSigningKey, next: options.nextSigningKey } }),
    },
  ];
  const http = await serveJson(
    { port: options.port ?? 0, host: options.host ?? '127.0.0.1', maxBodyBytes: MAX_REQUEST_BYTES },
    async (request) => {
      if (request.target.startsWith('/sandbox/')) return dispatch(openRoutes, request);
      if (request.headers.authorization === `Bearer ${options.token}`) return dispatch(routes, request);
      throw new HttpError(401, 'unauthorized: invalid or missing token');
    },
  );
  return {
    url: http.url,
    port: http.port,
    close: async () => {
      schedules.close();
      broker.close();
      await client.close();
      await http.close();
    },
  };
}
