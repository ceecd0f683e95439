import { HttpError } from '../http-server.ts';
import { parseDeliveryOrder } from './publish-headers.ts';
import { publishHeaders, type Route } from './routes.ts';
import type { Schedules } from './schedules.ts';
import { scheduleView } from './wire-views.ts';

/** /v2/schedules. */
export function scheduleRoutes(schedules: Schedules): Route[] {
  return [
    {
      method: 'POST',
      pattern: /^\/v2\/schedules\/(.+)$/,
      handle: ({ request, captured }) => {
        const { 'upstash-cron': cron, ...headers } = publishHeaders(request.headers);
        if (!cron) throw new HttpError(400, 'Upstash-Cron is missing');
        const order = parseDeliveryOrder(captured, headers, request.body);
        const { scheduleId } = schedules.put(cron, order, headers['upstash-schedule-id']);
        return { status: 201, json: { scheduleId } };
      },
    },
    {
      method: 'GET',
      pattern: /^\/v2\/schedules$/,
      handle: () => ({ status: 200, json: schedules.list().map(scheduleView) }),
    },
    {
      method: 'GET',
      pattern: /^\/v2\/schedules\/([^/?]+)$/,
      handle: ({ captured }) => ({ status: 200, json: scheduleView(schedules.get(captured)) }),
    },
    {
      method: 'DELETE',
      pattern: /^\/v2\/schedules\/([^/?]+)$/,
      handle: ({ captured }) => {
        schedules.delete(captured);
        return { status: 200 };
      },
    },
    ...(['pause', 'resume'] as const).map(
      (verb): Route => ({
        method: 'PATCH',
        pattern: new RegExp(`^/v2/schedules/([^/?]+)/${verb}$`),
        handle: ({ captured }) => {
          schedules.setPaused(captured, verb === 'pause');
          return { status: 200 };
        },
      }),
    ),
  ];
}
