import { type SQL, sql } from 'drizzle-orm';
import { events } from '#drizzle/schema/events.ts';

/**
 * Marks the events of `claimed` (`id`) as given to the webhooks, unless the one row of `cut` says by its `cut` that there are
 * more than fit: then `through` is the last webhook that has its delivery. For the statement that writes the deliveries,
 * which must be one with this.
 */
export const markFannedOut: SQL = sql`
  update ${events} e set fanned_out = not cut.cut, fanned_out_through = case when cut.cut then cut.through end
  from claimed, cut where e.id = claimed.id
  returning 1`;

/** Empties the payloads of those events of `old` (`id`, `place`) whose place is below `below`. For the statement that prunes. */
export const emptyPayloads = (below: SQL): SQL => sql`
  update ${events} e set body = '', pruned_at = now() from old
  where e.id = old.id and old.place < ${below}
  returning 1`;
