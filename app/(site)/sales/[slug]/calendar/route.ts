import ical from 'ical-generator';
import { env } from '#lib/base/env.ts';
import { getProjectByName } from '#lib/sales/projects/get-project.ts';
import { databaseCtx } from '../../../_data/database-ctx.ts';
import { orNotFound } from '../../../_data/or-not-found.ts';

import { saleStateOf } from '../../../_data/sale-state.ts';

const HOUR_MS = 3_600_000;
const WHAT: Record<string, string> = { starts: 'starts', tier_starts: 'next tier starts', ends: 'ends' };

/** What comes next in a sale, as a calendar file with a reminder an hour before. 404 where nothing does. */
export async function GET(_request: Request, { params }: RouteContext<'/sales/[slug]/calendar'>): Promise<Response> {
  const ctx = await databaseCtx();
  const project = await orNotFound(getProjectByName(ctx, (await params).slug));
  const { next } = saleStateOf(project, ctx.clock.nowMs());
  if (next === null) return new Response(null, { status: 404 });
  const start = new Date(next.at);
  const url = `${env().BASE_URL}/sales/${project.slug}`;
  const calendar = ical({ prodId: { company: 'Tranche', product: 'Sales' } });
  const event = calendar.createEvent({
    id: `${project.id}-${next.what}`,
    stamp: start,
    start,
    end: new Date(start.getTime() + HOUR_MS),
    summary: `${project.name}: ${WHAT[next.what]}`,
    description: 'Payments that arrive before the start are refunded. Take the address and the tag from the page.',
    url,
  });
  event.createAlarm({ trigger: HOUR_MS / 1_000 });
  return new Response(calendar.toString(), {
    headers: {
      'content-type': 'text/calendar; charset=utf-8',
      'content-disposition': `attachment; filename="${project.slug}.ics"`,
      'cache-control': 'no-store',
    },
  });
}
