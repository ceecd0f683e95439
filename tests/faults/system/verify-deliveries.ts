import { sql } from 'drizzle-orm';
import type { EventType } from '#lib/events/catalogue.ts';
import { MAX_ATTEMPTS } from '#lib/webhooks/delivery/schedule.ts';
import { attemptFaults, FOR_ALL, faultsOf, readDeliveries } from '#tests/faults/webhooks/verify.ts';
import type { Report } from './report.ts';
import type { Scene } from './scene.ts';

/**
 * Whether every event reached every webhook that wants it and whose receiver works; where the receiver takes nothing, the
 * delivery ended after its last attempt. At most one outcome a number, and nothing for who does not want it.
 */
export async function verifyDeliveries({ database, receivers, webhooks }: Scene, report: Report): Promise<string[]> {
  const wrong = [...receivers.violations];
  const { rows: told } = await database.db.execute<{
    id: string;
    type: EventType;
    projectId: string | null;
    isBeforeLaunch: boolean;
  }>(sql`
    select e.id, e.type, e.project_id as "projectId", exists (
      select from investments i join payments p on p.tx_hash = i.tx_hash
      where i.id = nullif(e.body, '')::jsonb #>> '{data,investment_id}' and not exists (
        select from actions m where m.project_id = e.project_id and m.action = 'launch' and m.status = 'applied'
          and (m.ledger_index, m.transaction_index) < (p.ledger_index, p.transaction_index))) as "isBeforeLaunch"
    from events e`);
  const rows = await readDeliveries(database.db, Number.MAX_SAFE_INTEGER);
  const known = new Map(rows.map((row) => [`${row.eventId} ${row.webhookId}`, row]));
  if (known.size !== rows.length) wrong.push('a pair has two deliveries');
  for (const { id: eventId, type, projectId, isBeforeLaunch } of told) {
    for (const [n, webhook] of webhooks.entries()) {
      const isType = webhook.events === null ? FOR_ALL.includes(type) : webhook.events.includes(type);
      const isProject = webhook.projectId === null || projectId === null || webhook.projectId === projectId;
      const key = `${eventId} ${webhook.id}`;
      const row = known.get(key);
      known.delete(key);
      if (!isType || !isProject) {
        if (row !== undefined) wrong.push(`${type} ${key} is owed to nobody`);
        continue;
      }
      // Of a draft these webhooks are not told: when its launch was long in coming, they miss what was paid before it.
      if (row === undefined && isBeforeLaunch) continue;
      let faults = ['has no delivery'];
      if (row !== undefined && webhook.isDead) {
        faults = attemptFaults(row);
        if (row.status !== 'failed' || row.ended !== MAX_ATTEMPTS)
          faults.push(`ended ${row.status} after ${row.ended}`);
      } else if (row !== undefined) faults = faultsOf(row, receivers.seen.get(`${n} ${eventId}`));
      wrong.push(...faults.map((fault) => `${type} ${key} ${fault}`));
    }
  }
  for (const pair of known.keys()) wrong.push(`${pair} is owed to nobody`);
  const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((before, row) => before + of(row), 0);
  report.figures.set('events', told.length);
  report.figures.set('deliveries', rows.length);
  report.figures.set(
    'attempts of deliveries',
    sum(({ ended }) => ended),
  );
  report.figures.set(
    'interrupted ones',
    sum(({ interrupted }) => interrupted),
  );
  return wrong;
}
