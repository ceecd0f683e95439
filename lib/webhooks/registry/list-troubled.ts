import { sql } from 'drizzle-orm';
import { webhooks } from '#drizzle/schema/events.ts';
import { toIso, toIsoOrNull } from '#lib/base/clock.ts';
import type { Ctx } from '#lib/ctx.ts';
import { ADMINISTRATORS_TENANT } from './acting-tenant.ts';

/** Fewer failures on end pass by themselves: the schedule retries for seven hours. */
const FAILING_MINUTES = 60;
/** Whoever has not switched it on again by then does not miss it. */
const SHOWN_DAYS = 30;

/**
 * A webhook that fails or was switched off, as far as it concerns who runs the platform: whose host it is, so that its
 * owner can be told. Path and query of its URL, its description and what is sent to it stay its tenant's: a URL often
 * holds a secret.
 */
export interface TroubledWebhook {
  id: string;
  host: string;
  /** It is the administrators' own: their alerts do not arrive. */
  ours: boolean;
  failingSince: string | null;
  disabledAt: string | null;
  disabledReason: 'gone' | 'failing' | null;
}

interface Row extends Record<string, unknown> {
  id: string;
  host: string;
  ours: boolean;
  failing_since: string | null;
  disabled_at: string | null;
  disabled_reason: 'gone' | 'failing' | null;
  total: number;
}

const isoOf = (text: string | null): string | null => toIsoOrNull(text === null ? null : new Date(text));

/** Webhooks of all tenants that fail for an hour or were switched off within 30 days: ours first, then the newest. */
export async function listTroubledWebhooks(
  { db, clock }: Ctx,
  limit: number,
): Promise<{ webhooks: TroubledWebhook[]; total: number }> {
  const now = sql`${toIso(new Date(clock.nowMs()))}::timestamptz`;
  const { rows } = await db.execute<Row>(sql`
    select id, host, tenant_id = ${ADMINISTRATORS_TENANT} as ours, failing_since::text, disabled_at::text,
      disabled_reason, (count(*) over ())::integer as total
    from ${webhooks}
    where deleted_at is null and (
      (active and failing_since < ${now} - make_interval(mins => ${FAILING_MINUTES}::integer))
      or disabled_at > ${now} - make_interval(days => ${SHOWN_DAYS}::integer))
    order by ours desc, coalesce(disabled_at, failing_since) desc, id
    limit ${limit}`);
  return {
    webhooks: rows.map((row) => ({
      id: row.id,
      host: row.host,
      ours: row.ours,
      failingSince: isoOf(row.failing_since),
      disabledAt: isoOf(row.disabled_at),
      disabledReason: row.disabled_reason,
    })),
    total: rows[0]?.total ?? 0,
  };
}
