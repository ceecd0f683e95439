import { z } from 'zod';
import { HttpError } from '../http-server.ts';
import type { Broker } from './broker.ts';
import type { VirtualClock } from './clock.ts';
import type { Route } from './routes.ts';
import type { Schedules } from './schedules.ts';
import { waitingView } from './wire-views.ts';

const advanceRequest = z.object({
  seconds: z
    .number()
    .min(0)
    .max(366 * 86_400),
  /** How long of real time to wait for receivers at most. */
  timeoutSeconds: z.number().positive().default(120),
});

function parseAdvance(body: Buffer): z.output<typeof advanceRequest> {
  try {
    return advanceRequest.parse(JSON.parse(body.toString('utf8')));
  } catch {
    throw new HttpError(400, 'expected {"seconds": number}');
  }
}

/** What the hosted service does not have: /sandbox/health, /sandbox/messages and /sandbox/advance. */
export function sandboxRoutes(clock: VirtualClock, broker: Broker, schedules: Schedules): Route[] {
  return [
    {
      method: 'GET',
      pattern: /^\/sandbox\/health$/,
      handle: () => ({
        status: 200,
        json: { status: 'ok', now: new Date(clock.nowMs()).toISOString(), messages: broker.taken },
      }),
    },
    {
      method: 'GET',
      pattern: /^\/sandbox\/messages$/,
      handle: () => {
        const waiting = broker.open().filter(({ status }) => status === 'waiting');
        waiting.sort((a, b) => a.dueAtMs - b.dueAtMs || a.sequence - b.sequence);
        return { status: 200, json: waiting.map((message) => waitingView(message, clock.nowMs())) };
      },
    },
    {
      method: 'POST',
      pattern: /^\/sandbox\/advance$/,
      handle: async ({ request }) => {
        const { seconds, timeoutSeconds } = parseAdvance(request.body);
        const attemptsBefore = broker.attempts;
        clock.skip(seconds * 1000);
        const dueByMs = clock.nowMs();
        schedules.fireDue();
        const settled = await broker.settle(dueByMs, timeoutSeconds * 1000);
        const now = new Date(clock.nowMs()).toISOString();
        return { status: 200, json: { now, deliveries: broker.attempts - attemptsBefore, settled } };
      },
    },
  ];
}
