import { sql } from 'drizzle-orm';
import type { Db } from '#lib/base/db.ts';

/**
 * The database's time passes: all that is measured by its clock is so much older. A claim's end is also its fencing token, so
 * only one that thereby runs out is moved. Locks in the order in which all others do.
 */
export async function ageDatabase(db: Db, seconds: number): Promise<void> {
  const by = sql`make_interval(secs => ${seconds}::integer)`;
  await db.execute(sql`update leases set leased_until = leased_until - ${by} where leased_until is not null`);
  await db.execute(sql`update job_schedules set due_at = due_at - ${by}, woken_until = woken_until - ${by}`);
  await db.execute(sql`update webhooks set failing_since = failing_since - ${by} where failing_since is not null`);
  await db.execute(sql`
    with open as (
      select id from deliveries where status in ('pending', 'retrying') or leased_until is not null
      order by id for no key update
    )
    update deliveries d set due_at = d.due_at - ${by},
      leased_until = case when d.leased_until - ${by} < now() then d.leased_until - ${by} else d.leased_until end
    from open where d.id = open.id`);
}

/** The queue's time passes, and what comes due in it is called back; waits so long for that at most. True when all of it was. */
export async function advanceQueue(url: string, seconds: number, timeoutSeconds: number): Promise<boolean> {
  const answer = await fetch(`${url}/sandbox/advance`, {
    method: 'POST',
    body: JSON.stringify({ seconds, timeoutSeconds }),
  });
  if (!answer.ok) throw new Error(`The queue's clock could not be moved: ${await answer.text()}`);
  const { settled } = (await answer.json()) as { settled: boolean };
  return settled;
}

/** What payouts wait for by the database's clock has come. */
export const agePayouts = (db: Db): Promise<unknown> =>
  db.execute(sql`update payouts set next_check_at = now() where next_check_at > now()`);
