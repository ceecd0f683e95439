import { type AnyColumn, type SQL, sql } from 'drizzle-orm';
import { payouts } from '#drizzle/schema/payouts.ts';

/** True for what is paid in XRP: all else is paid in tokens. `kind` is that of a payout. */
export const isInXrp = (kind: SQL | AnyColumn = payouts.kind): SQL => sql`${kind} in ('refund', 'release')`;

/** The XRP that a payout `p` takes: none where it is in tokens. */
export const dropsOf = (p: SQL | typeof payouts): SQL =>
  sql`case when ${isInXrp(sql`${p}.kind`)} then ${p}.amount else 0 end`;
