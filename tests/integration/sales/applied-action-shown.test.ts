import { setImmediate } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { actions } from '#drizzle/schema/sale.ts';
import { applyEnv } from '#lib/base/env.ts';
import type { Ctx } from '#lib/ctx.ts';
import { getProject } from '#lib/sales/projects/get-project.ts';
import { listProjects } from '#lib/sales/projects/list-projects.ts';
import { testCtx } from '#tests/support/ctx.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { testEnv } from '#tests/support/env.ts';
import { addRows, changeRows } from '#tests/support/rows.ts';
import { DEPOSIT, seedSale } from '#tests/support/sale.ts';

let database: FreshDatabase;
let projectId: string;
beforeAll(() => applyEnv(testEnv()));
beforeEach(async () => {
  database = await freshDatabase({ maxConnections: 4 });
  ({ projectId } = await seedSale(database.db));
  await addRows(database.db, 'actions', {
    txHash: 'PAUSE',
    account: DEPOSIT,
    projectId,
    action: 'pause',
    status: 'submitted',
  });
});
afterEach(() => database.close());

/** What a reader sees who began while the pause was being applied, and had to wait for its rows. */
async function readBeside<T>(read: (ctx: Ctx) => Promise<T>): Promise<T> {
  const { db } = database;
  const { reading } = await db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${actions} in access exclusive mode`);
    const reading = read(testCtx({ db }));
    for (let waiting = 0; waiting === 0; await setImmediate()) {
      const { rows } = await tx.execute<{ waiting: number }>(sql`
        select count(*)::int as waiting from pg_locks where not granted and relation = 'actions'::regclass`);
      waiting = rows[0]?.waiting ?? 0;
    }
    await changeRows(tx, 'projects', { id: projectId }, { status: 'paused' });
    await changeRows(tx, 'actions', { txHash: 'PAUSE' }, { status: 'applied' });
    return { reading };
  });
  return reading;
}

describe('an action that is applied while a project is read', () => {
  test('never looks like one that expired: the status is new as soon as nothing is pending', async () => {
    const shown = await readBeside((ctx) => getProject(ctx, projectId));
    expect(shown).toMatchObject({ status: 'paused', pending_action: null });
  });

  test('looks so in a list of projects too', async () => {
    const { projects: shown } = await readBeside((ctx) => listProjects(ctx, { limit: 10, withDrafts: false }));
    expect(shown).toMatchObject([{ status: 'paused', pending_action: null }]);
  });

  test('is pending until then', async () => {
    const shown = await getProject(testCtx({ db: database.db }), projectId);
    expect(shown).toMatchObject({ status: 'active', pending_action: { action: 'pause', transaction_hash: 'PAUSE' } });
  });
});
