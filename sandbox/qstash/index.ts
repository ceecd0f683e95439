import { answerFaultRequest } from '../fault-requests.ts';
import { type HttpAnswer, HttpError, type HttpRequest, type RunningHttpServer, serveJson } from '../http-server.ts';
import { Broker } from './broker.ts';
import { CallbackClient } from './callback-client.ts';
import { VirtualClock } from './clock.ts';
import { EventLog } from './event-log.ts';
import { createQStashFaults, type QStashFaults } from './faults.ts';
import { keyRoutes } from './key-routes.ts';
import { observationRoutes } from './message-routes.ts';
import { publishRoutes } from './publish-routes.ts';
import { dispatch, type Route } from './routes.ts';
import { sandboxRoutes } from './sandbox-routes.ts';
import { scheduleRoutes } from './schedule-routes.ts';
import { Schedules } from './schedules.ts';
import { SigningKeys } from './signing-keys.ts';

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

export interface RunningQStash extends RunningHttpServer {
  faults: QStashFaults;
}

async function answerUnlessDown(faults: QStashFaults, routes: Route[], request: HttpRequest): Promise<HttpAnswer> {
  const down = faults.strike('down');
  if (down?.how === 'unavailable') throw new HttpError(503, 'service unavailable');
  if (down?.how === 'reset') return { status: 503, hangsUp: true };
  const answer = await dispatch(routes, request);
  return down?.how === 'answer_lost' ? { ...answer, hangsUp: true } : answer;
}

/**
 * Starts QStash's REST protocol on a port of its own. It keeps everything in memory, runs on a clock that
 * `POST /sandbox/advance` moves, and makes real, signed HTTP callbacks. `/sandbox/…` needs no token, and no fault
 * takes it down.
 *
 * @throws when the port is taken
 */
export async function startQStash(options: QStashOptions): Promise<RunningQStash> {
  const clock = new VirtualClock();
  const events = new EventLog(clock);
  const faults = createQStashFaults();
  const keys = new SigningKeys(options.currentSigningKey, options.nextSigningKey);
  const client = new CallbackClient(keys);
  const broker = new Broker(clock, client, events, faults);
  const schedules = new Schedules(clock, ({ order, scheduleId }, atMs) => {
    broker.enqueue(order, { createdAtMs: atMs, dueAtMs: atMs + order.delaySeconds * 1000, scheduleId });
  });
  const openRoutes = sandboxRoutes(clock, broker, schedules);
  const routes = [
    ...publishRoutes(broker),
    ...observationRoutes(broker, events),
    ...scheduleRoutes(schedules),
    ...keyRoutes(keys),
  ];
  const http = await serveJson(
    { port: options.port ?? 0, host: options.host ?? '127.0.0.1', maxBodyBytes: MAX_REQUEST_BYTES },
    async (request) => {
      if (request.target.startsWith('/sandbox/')) {
        return answerFaultRequest(faults, request) ?? dispatch(openRoutes, request);
      }
      if (request.headers.authorization !== `Bearer ${options.token}`) {
        throw new HttpError(401, 'unauthorized: invalid or missing token');
      }
      return answerUnlessDown(faults, routes, request);
    },
  );
  return {
    url: http.url,
    port: http.port,
    faults,
    close: async () => {
      schedules.close();
      broker.close();
      await client.close();
      await http.close();
    },
  };
}
