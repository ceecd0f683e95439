import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Wallet } from 'xrpl';
import { applyEnv, env } from '#lib/base/env.ts';
import { dispatchDeliveries } from '#lib/jobs/dispatch-deliveries.ts';
import { processPayments } from '#lib/jobs/process-payments.ts';
import { expectRecordsAgree, holders } from '#tests/integration/sales/cancelled-sales.ts';
import { openStage, type Sale, type Stage } from '#tests/integration/sales/stage.ts';
import { type Receiver, startReceiver } from '#tests/integration/webhooks/receiver.ts';
import { newWebhook } from '#tests/integration/webhooks/stage.ts';
import { type TestCtx, testCtx } from '#tests/support/ctx.ts';
import type { FreshDatabase } from '#tests/support/database.ts';
import { TEST_ADMIN_TOKEN, testEnv } from '#tests/support/env.ts';
import { serveInterface } from './serve-interface.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';

const run = promisify(execFile);
const ROOT = path.resolve(import.meta.dirname, '../../..');
const TRANCHE = path.join(ROOT, 'lib/cli/tranche.cjs');

let stage: Stage;
let receiver: Receiver;
let server: Awaited<ReturnType<typeof serveInterface>>;
let sale: Sale;
/** Never launched: its deposit account is in no list of sales, and sends back what is paid to it all the same. */
let drafted: Sale;
let investors: Wallet[];
let snapshot: Snapshot;
let restored: FreshDatabase;
let restoredCtx: TestCtx;
let cursorOfBackup: number;

/** A run of the platform after a ledger has closed. */
async function beat(ctx: TestCtx): Promise<void> {
  stage.desk.close(2);
  await processPayments(ctx);
  await dispatchDeliveries(ctx);
}

const rowsOf = async (ctx: TestCtx, query: string): Promise<Record<string, unknown>[]> =>
  (await ctx.db.execute(sql.raw(query))).rows;

/** Beats until so many payments are decided, and every payout is in one of these states. */
async function untilQuiet(ctx: TestCtx, payments: number, states: string): Promise<void> {
  for (let n = 0; n < 40; n++) {
    await beat(ctx);
    const [row] = await rowsOf(
      ctx,
      `select (select count(*) from payments where outcome <> 'pending')::int as decided,
        (select count(*) from payouts where status not in (${states}))::int as moving`,
    );
    if (row?.decided === payments && row.moving === 0) return;
  }
  throw new Error('The sale is not quiet after 40 beats');
}
const PAID = "'validated'";
const PAID_OR_WITHOUT_KEY = "'validated', 'scheduled'";

/** Everything that says who got what. What a process noted for itself (attempts, times of writing) is not in it. */
const recordsOf = async (ctx: TestCtx) => ({
  projects: await rowsOf(ctx, 'select id, status, raised_drops::text from projects order by id'),
  tiers: await rowsOf(ctx, 'select project_id, tier, sold_units::text from tiers order by 1, 2'),
  payments: await rowsOf(
    ctx,
    `select tx_hash, ledger_index, sender, outcome, reason, invested_drops::text, refunded_drops::text, held_drops::text
      from payments order by tx_hash`,
  ),
  investments: await rowsOf(
    ctx,
    'select id, tx_hash, status, investor_account, amount_drops::text, reason from investments order by id',
  ),
  allocations: await rowsOf(ctx, 'select * from allocations order by 1, 2'),
  payouts: await rowsOf(
    ctx,
    `select id, kind, status, account, destination, destination_tag, amount::text, tx_hash, ledger_index, part
      from payouts order by id`,
  ),
  events: await rowsOf(
    ctx,
    "select id, body from events where type like 'investment.%' or type like 'project.%' order by id",
  ),
});

/** Successful payments of an account on the ledger itself, by hash. */
async function paidBy(account: string): Promise<string[]> {
  const { result } = await stage.desk.client.request({
    command: 'account_tx',
    account,
    ledger_index_min: -1,
    ledger_index_max: -1,
    limit: 400,
  });
  return result.transactions.flatMap(({ tx_json: transaction, hash, meta }) =>
    transaction?.TransactionType === 'Payment' &&
    transaction.Account === account &&
    typeof meta === 'object' &&
    meta.TransactionResult === 'tesSUCCESS'
      ? [hash ?? '']
      : [],
  );
}
/** Without what stocked the accounts before the sale. */
const paidOut = async (): Promise<string[]> =>
  (await Promise.all([sale.issuer, sale.deposit, drafted.deposit].map(({ address }) => paidBy(address)))).flat().sort();

/** Settings for the restored database, with or without the keys that sign. */
function putRestoredInForce(keys: 'no keys' | 'keys'): void {
  const { KV_REST_API_URL, QSTASH_URL, XRPL_URLS, XRPL_NETWORK_ID, BASE_URL } = env();
  const entries = [sale.issuer, sale.deposit, drafted.deposit].map(({ address, seed }) => `${address}=ed25519:${seed}`);
  applyEnv(
    testEnv({
      BASE_URL,
      KV_REST_API_URL,
      QSTASH_URL,
      XRPL_URLS: XRPL_URLS.join(','),
      XRPL_NETWORK_ID: String(XRPL_NETWORK_ID),
      POSTGRES_URL: restored.url,
      SIGNING_KEYS: keys === 'keys' ? entries.join(',') : '',
    }),
  );
}

/** What the guide says to run. */
async function matchPayouts(...more: string[]): Promise<{ code: number; output: string }> {
  const { KV_REST_API_URL, KV_REST_API_TOKEN } = env();
  const settings = { ADMIN_TOKEN: TEST_ADMIN_TOKEN, KV_REST_API_URL, KV_REST_API_TOKEN };
  const options = ['--base-url', server.url, '--ledger', stage.desk.ledger.wsUrl];
  const args = [TRANCHE, 'match-payouts', ...options, '--from-ledger', String(cursorOfBackup), ...more];
  const { stdout, stderr, code } = await run(process.execPath, args, { env: { ...process.env, ...settings } }).then(
    (ended) => ({ ...ended, code: 0 }),
    (failed: { stdout: string; stderr: string; code: number }) => failed,
  );
  return { code, output: stdout + stderr };
}

beforeAll(async () => {
  [stage, receiver, server] = await Promise.all([openStage(), startReceiver(), serveInterface()]);
  sale = await stage.launched();
  drafted = await stage.draft({ name: 'Draft' });
  await newWebhook(stage.ctx, receiver.url);
  investors = await holders(stage, sale, 6);
  const [a, b, c, d] = investors as [Wallet, Wallet, Wallet, Wallet];

  // Paid and done; the third names no sale and gets its XRP back.
  await stage.pay(a, sale, 10);
  await stage.pay(b, sale, 20);
  await stage.pay(c, sale, 5, 4_711);
  await untilQuiet(stage.ctx, 3, PAID);
  // On its way at the moment of the backup, and recognised but not decided.
  await stage.pay(c, sale, 30);
  await beat(stage.ctx);
  await stage.pay(d, sale, 7);
  stage.desk.close();
  await processPayments(stage.ctx);
  snapshot = await takeSnapshot(stage.database.url);
  const [row] = await rowsOf(stage.ctx, 'select min(cursor_ledger) as cursor_ledger from deposit_accounts');
  cursorOfBackup = Number(row?.cursor_ledger);
}, 180_000);
afterAll(async () => {
  await Promise.all([receiver?.close(), server?.close(), snapshot?.remove()]);
  await restored?.close();
  await stage?.end();
});

/** A whole sale, twice, on a machine that does other things too. */
const TIMEOUT_MS = 240_000;

test('a sale is restored from a backup: it catches up from the ledger, pays nothing twice, and its books are those that were lost', {
  timeout: TIMEOUT_MS,
}, async () => {
  const [a, b, , , e, f] = investors as [Wallet, Wallet, Wallet, Wallet, Wallet, Wallet];
  // After the backup: more payments, two of them alike, refunds, and all of it paid out and told.
  await stage.pay(e, sale, 12);
  await stage.pay(e, sale, 12);
  await stage.pay(f, sale, 3, 4_712);
  await stage.pay(a, sale, 9);
  await stage.pay(f, drafted, 4);
  await untilQuiet(stage.ctx, 10, PAID);
  const lost = await recordsOf(stage.ctx);
  const paidBefore = await paidOut();
  expect(lost.payouts.map(({ status }) => status)).toEqual(lost.payouts.map(() => 'validated'));
  expect(lost.payouts.length).toBeGreaterThanOrEqual(8);
  const toldBefore = new Map(receiver.received.map(({ body }) => [JSON.parse(body).event_id as string, body]));

  // The database is gone. Another one stands there, as of the backup, and its keys are taken away.
  restored = await snapshot.restore();
  putRestoredInForce('no keys');
  restoredCtx = testCtx({ db: restored.db });
  const known = await rowsOf(restoredCtx, "select 1 from payouts where status = 'validated'");
  expect(known.length).toBeLessThan(lost.payouts.length);
  receiver.received.length = 0;
  await untilQuiet(restoredCtx, 10, PAID_OR_WITHOUT_KEY);

  // It has caught up, and has paid nothing.
  const caughtUp = await recordsOf(restoredCtx);
  for (const part of ['projects', 'tiers', 'payments', 'investments', 'allocations'] as const) {
    expect(caughtUp[part]).toEqual(lost[part]);
  }
  expect(await paidOut()).toEqual(paidBefore);
  expect(caughtUp.payouts.filter(({ status }) => status === 'validated').length).toBeLessThan(lost.payouts.length);

  // What was paid after the backup is found on the ledger.
  const planned = await matchPayouts('--dry-run');
  expect(planned.output).toMatch(/^[1-9]\d* matched, 0 unexplained, 0 on their way$/m);
  expect(await recordsOf(restoredCtx)).toEqual(caughtUp);
  const matched = await matchPayouts();
  expect(matched.output).toMatch(/^[1-9]\d* matched, 0 unexplained, 0 on their way$/m);
  expect(matched.code).toBe(0);
  expect((await matchPayouts()).output).toMatch(/^0 matched, 0 unexplained, 0 on their way$/m);
  await restored.db.execute(sql`update account_changes c set ours = true from payouts p
    where p.tx_hash = c.tx_hash and p.status = 'validated' and not c.ours`);

  // Every payment is matched: what was signed last may be forgotten. With its keys again, it pays what nobody had paid, and
  // nothing else.
  await stage.pay(b, sale, 4);
  putRestoredInForce('keys');
  expect(await restoredCtx.redis.del(`payouts:last-signed:${env().XRPL_NETWORK_ID}`)).toBe(1);
  await restored.db.execute(sql`update payouts set next_check_at = now()`);
  await untilQuiet(restoredCtx, 11, PAID);
  const paidAfter = await paidOut();
  expect(paidAfter.filter((hash) => !paidBefore.includes(hash))).toHaveLength(1);
  expect(paidBefore.filter((hash) => !paidAfter.includes(hash))).toEqual([]);
  const books = await recordsOf(restoredCtx);
  const before = (rows: Record<string, unknown>[]) => new Set(rows.map(({ id }) => id));
  for (const part of ['payouts', 'events'] as const) {
    const then = before(lost[part]);
    expect(books[part].filter(({ id }) => then.has(id))).toEqual(lost[part]);
  }
  expect(new Set(books.payouts.map(({ tx_hash }) => tx_hash)).size).toBe(books.payouts.length);
  await expectRecordsAgree({ ...stage, database: restored, ctx: restoredCtx }, sale);
  const [account] = await rowsOf(restoredCtx, 'select difference_drops::text as difference from deposit_accounts');
  expect(account).toEqual({ difference: '0' });
  expect(
    await rowsOf(restoredCtx, 'select 1 from account_changes where not ours and change_drops + fee_drops < 0'),
  ).toEqual([]);

  // What is told a second time is told with the same id and in the same words.
  const again = receiver.received.map(({ body }) => ({ id: JSON.parse(body).event_id as string, body }));
  const twice = again.filter(({ id }) => toldBefore.has(id));
  expect(twice.length).toBeGreaterThan(0);
  expect(twice.map(({ id, body }) => [id, body])).toEqual(twice.map(({ id }) => [id, toldBefore.get(id)]));
  expect(new Set(again.map(({ id }) => id)).size).toBe(again.length);
});
