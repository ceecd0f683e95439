import { type SQL, sql } from 'drizzle-orm';
import { payouts } from '#drizzle/schema/payouts.ts';

/**
 * The ids, as an array, of the payouts for which `condition` (on the columns of `payouts`) holds, locked in the order of
 * the ids. A statement that writes several payouts writes those only: `where p.id = any (…)`. Left to the plan, each
 * statement would lock in an order of its own, and two that wait for each other are a deadlock.
 */
export const lockedPayouts = (condition: SQL): SQL =>
  sql`array(select ${payouts.id} from ${payouts} where ${condition} order by ${payouts.id} for no key update)`;
