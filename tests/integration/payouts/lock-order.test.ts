import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { auditEntries } from '#drizzle/schema/access.ts';
import type { Db } from '#lib/base/db.ts';
import { applyEnv } from '#lib/base/env.ts';
import { queueForAllowance } from '#lib/payouts/ceiling.ts';
import { holdPayoutsTo, markReady, postponeAll } from '#lib/payouts/change-status.ts';
import { retryPayouts } from '#lib/payouts/operate/retry-payouts.ts';
import { noCounts, type Payout } from '#lib/payouts/types.ts';
import { call } from '#tests/integration/webhooks/call.ts';
import { testCtx } from '#tests/support/ctx.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { TEST_ADMIN_TOKEN, testEnv } from '#tests/support/env.ts';
import { addRows, changeRows } from '#tests/support/rows.ts';
import { CLOSED_AT_MS, DEPOSIT, DISTRIBUTOR, seedSale } from '#tests/support/sale.ts';
import { withStandIns } from '#tests/support/stand-ins.ts';
import * as retryRoute from '../../../app/api/admin/payouts/retry/route.ts';

const WAITING = 400;
const CALLS = 40;
const ROUNDS = 3;
/** Few holders, so that one statement of each kind takes many rows. */
const HOLDERS = ['rHolderA', 'rHolderB'];

const { qstashUrl, redisUrl } = { qstashUrl: () => standIns.qstashUrl, redisUrl: () => standIns.redisUrl };
const standIns = withStandIns();
let database: FreshDatabase;
/** The same database without the seam that tries deadlocked work again: only the order of locks helps here. */
let bare: { db: Db; pool: Pool };
let projectId: string;
let found: Payout[];

beforeAll(async () => {
  database = await freshDatabase({ maxConnections: 4 });
  applyEnv(
    testEnv({
      POSTGRES_URL: database.url,
      POSTGRES_POOL_SIZE: String(CALLS),
      QSTASH_URL: qstashUrl(),
      KV_REST_API_URL: redisUrl(),
      RATE_LIMIT_SCALE: '1000',
    }),
  );
  const pool = new Pool({ connectionString: database.url, max: CALLS });
  bare = { db: drizzle(pool, { casing: 'snake_case' }), pool };
  ({ projectId } = await seedSale(database.db));
  const rows = Array.from({ length: WAITING }, (_, index) => ({
    txHash: randomBytes(32).toString('hex').toUpperCase(),
    id: `pay_${randomBytes(11).toString('hex')}`,
    destination: HOLDERS[index % HOLDERS.length] ?? '',
    index,
  }));
  await addRows(
    database.db,
    'payments',
    rows.map(({ txHash, index, destination }) => ({
      txHash,
      account: DEPOSIT,
      ledgerIndex: 10,
      transactionIndex: index,
      closedAt: new Date(CLOSED_AT_MS),
      sender: destination,
      destinationTag: 77,
      receivedDrops: 1n,
      projectId,
    })),
  );
  await addRows(
    database.db,
    'payouts',
    rows.map(({ id, txHash, destination }) => ({
      id,
      kind: 'distribution' as const,
      projectId,
      paymentHash: txHash,
      account: DISTRIBUTOR,
      destination,
      amount: 1n,
      status: 'waiting_holder' as const,
      reason: 'trust_line_missing',
      dueAt: new Date(CLOSED_AT_MS),
    })),
  );
  const asset = { kind: 'xrp' } as const;
  found = rows.map(({ id, destination }) => ({
    id,
    kind: 'distribution',
    projectId,
    investmentId: null,
    paymentPlace: null,
    part: 1,
    account: DISTRIBUTOR,
    destination,
    destinationTag: null,
    amount: 1n,
    asset,
  }));
});
beforeEach(() => changeRows(database.db, 'payouts', {}, { status: 'waiting_holder', reason: 'trust_line_missing' }));
afterAll(async () => {
  await bare?.pool.end();
  await database?.close();
});

/** Everything that writes many payouts in one statement, each from an order of its own. */
function writersOf(db: Db): (() => Promise<unknown>)[] {
  const ctx = testCtx({ db });
  const reason = 'looked at again';
  const shuffled = () => found.toSorted(() => Math.random() - 0.5);
  const allowance = {
    payouts: 0,
    drops: null,
    limitPayouts: 1_000,
    limitDrops: null,
    minorPayouts: 0,
    limitMinorPayouts: 500,
    reservedForMinor: 0,
    frequent: [],
  };
  const ledgerTime = new Date(CLOSED_AT_MS);
  return [
    () => retryPayouts(ctx, { reason, waiting_reason: 'trust_line_missing' }),
    () => retryPayouts(ctx, { reason, project_id: projectId }),
    () => retryPayouts(ctx, { reason, payout_ids: shuffled().map(({ id }) => id) }),
    () => postponeAll(db, shuffled(), 'waiting_holder', 'trust_line_missing', noCounts()),
    () =>
      markReady(
        db,
        shuffled().map((payout) => ({ payout, status: 'waiting_holder', reason: 'trust_line_missing' })),
      ),
    () => db.transaction((tx) => holdPayoutsTo(tx, DISTRIBUTOR, HOLDERS)),
    () => queueForAllowance(ctx, DISTRIBUTOR, { ledgerTime, allowance, which: 'all' }, noCounts()),
  ];
}

describe('work on the same payouts at once', () => {
  it('takes their locks in one order: however it is mixed, no statement deadlocks', async () => {
    const writers = writersOf(bare.db);
    for (let round = 0; round < ROUNDS; round++) {
      await changeRows(database.db, 'payouts', {}, { status: 'waiting_holder', reason: 'trust_line_missing' });
      const done = await Promise.allSettled(Array.from({ length: CALLS }, (_, i) => writers[i % writers.length]?.()));
      const causes = done.flatMap((each) => (each.status === 'rejected' ? [String(each.reason.cause)] : []));
      expect(causes).toEqual([]);
    }
  });

  it(`answers ${CALLS} operators who retry ${WAITING} payouts at the same time, each with all of them`, async () => {
    const answers = await Promise.all(
      Array.from({ length: CALLS }, (_, i) =>
        call(retryRoute, 'POST', {
          apiKey: TEST_ADMIN_TOKEN,
          body:
            i % 2 === 0
              ? { reason: 'again', waiting_reason: 'trust_line_missing' }
              : { reason: 'again', payout_ids: found.toReversed().map(({ id }) => id) },
        }),
      ),
    );
    expect(answers.map(({ status, body }) => [status, body.retried])).toEqual(answers.map(() => [200, WAITING]));
    const [audited] = await database.db
      .select({ count: sql<number>`count(*)::int` })
      .from(auditEntries)
      .where(sql`action = 'payout.retry_many' and after->>'retried' = ${String(WAITING)} and reason = 'again'`);
    expect(audited?.count).toBe(CALLS);
  });
});
