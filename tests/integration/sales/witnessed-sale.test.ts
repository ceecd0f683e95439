import { runVerification } from '@tranche/verifier/command.ts';
import { verificationReport } from '@tranche/verifier/report.ts';
import { eq, isNotNull, ne, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Wallet } from 'xrpl';
import { events } from '#drizzle/schema/events.ts';
import { payouts, ticketRequests } from '#drizzle/schema/payouts.ts';
import { listWitnesses } from '#lib/ops/status/witnesses/list-witnesses.ts';
import { releaseRaised } from '#lib/payouts/release/release-raised.ts';
import { assignPayment } from '#lib/sales/held/assign-payment.ts';
import { getProject } from '#lib/sales/projects/get-project.ts';
import { beat, expectRecordsAgree, holders, payBeat, payoutsOf, sentTo } from './cancelled-sales.ts';
import type { Sale } from './stage.ts';
import { openWitnessedStage, type WitnessedStage } from './witnessed-stage.ts';

let world: WitnessedStage;
let sale: Sale;
let ada: Wallet;
let ben: Wallet;

beforeAll(async () => {
  world = await openWitnessedStage();
  const { stage } = world;
  // 10 XRP and 40 XRP.
  sale = await world.draft({
    tiers: [
      { price_per_token: '0.10', total_tokens: '100' },
      { price_per_token: '0.20', total_tokens: '200' },
    ],
  });
  [ada, ben] = (await holders(stage, sale, 2)) as [Wallet, Wallet];
  await stage.act(sale, 'launch');
  await stage.settle(sale.deposit);
});
afterAll(() => world?.end());

const pay = async (from: Wallet, xrp: number, tag?: null): Promise<string> => {
  const hash = await world.stage.pay(from, sale, xrp, tag);
  await untilPaid();
  return hash;
};
const got = ({ address }: Wallet) => sentTo(world.stage, sale, address);
const XRP = 1_000_000n;
const TOKEN = 1_000_000n;
const unpaid = () =>
  world.stage.database.db
    .select({ status: payouts.status, reason: payouts.reason })
    .from(payouts)
    .where(ne(payouts.status, 'validated'));
/** Also what is sent back of no sale. */
async function untilPaid(): Promise<void> {
  for (let beats = 0; beats < 20; beats++) {
    await beat(world.stage, sale);
    if ((await unpaid()).length === 0) return;
  }
  throw new Error(`Not all is paid after 20 beats: ${JSON.stringify(await unpaid())}`);
}

/** Ledgers close while the request waits for its ticket. */
async function assign(hash: string): Promise<void> {
  const { desk, ctx, database } = world.stage;
  const submitted = () => database.db.$count(ticketRequests, isNotNull(ticketRequests.submittedLedger));
  const before = await submitted();
  const asked = assignPayment(ctx, { transactionHash: hash, projectId: sale.project.id, reason: 'it came in time' });
  await vi.waitFor(async () => expect(await submitted()).toBe(before + 1), { timeout: 10_000, interval: 20 });
  desk.close();
  await asked;
}

test('a sale that loses a witness in the middle distributes, refunds, assigns and pauses as before', async () => {
  const { stage, witnesses } = world;
  await pay(ada, 6);
  await pay(ben, 8);
  // 60 and 40 of the first tier, 20 of the second.
  expect([(await got(ada)).units, (await got(ben)).units]).toEqual([60n * TOKEN, 60n * TOKEN]);

  await witnesses[0].kill();
  await pay(ada, 5, null);
  expect((await got(ada)).drops).toBe(5n * XRP);
  const held = await pay(ben, 0.0002, null);
  await assign(held);
  await untilPaid();
  expect((await got(ben)).units).toBe(60n * TOKEN + TOKEN / 1_000n);
  await stage.act(sale, 'pause');
  await stage.settle(sale.deposit);
  await pay(ada, 3);
  expect((await got(ada)).drops).toBe(8n * XRP);
  await stage.act(sale, 'resume');
  await stage.settle(sale.deposit);
});

test('with a second witness away what is owed waits, with an alert, and is paid once when it is back', async () => {
  const { stage, witnesses } = world;
  await witnesses[1].kill();
  await stage.pay(ada, sale, 2);
  await stage.settle(sale.deposit);
  for (let beats = 0; beats < 2; beats++) await payBeat(stage, sale);
  expect(await unpaid()).toEqual([{ status: 'ready', reason: 'waiting_witnesses' }]);
  const alerts = await stage.database.db
    .select({ body: events.body })
    .from(events)
    .where(eq(events.type, 'system.alert'));
  expect(alerts.filter(({ body }) => body.includes('"waiting_witnesses"'))).toHaveLength(1);
  const shown = await listWitnesses(stage.ctx);
  expect(shown.witnesses.map(({ name, reachable }) => [name, reachable])).toEqual([
    ['W0', false],
    ['W1', false],
    ['W2', true],
  ]);
  await expect(stage.act(sale, 'pause')).rejects.toThrow('witness');
  await witnesses[1].start();
  await stage.database.db.execute(sql`update ${payouts} set next_check_at = now() where status <> 'validated'`);
  await untilPaid();
  expect((await got(ada)).units).toBe(70n * TOKEN);
});

test('sold out, its XRP is released to the treasury, and verification agrees on who signed', async () => {
  const { stage, served } = world;
  await pay(ben, 60);
  expect((await getProject(stage.ctx, sale.project.id)).status).toBe('completed');
  await releaseRaised(stage.ctx, {
    projectId: sale.project.id,
    amountDrops: 20n * XRP,
    dryRun: false,
    reason: 'agreed',
  });
  await untilPaid();
  await releaseRaised(stage.ctx, { projectId: sale.project.id, dryRun: false, reason: 'the rest' });
  await untilPaid();
  expect((await sentTo(stage, sale, sale.project.treasury ?? '')).drops).toBe(50n * XRP);
  expect((await payoutsOf(stage, sale)).every(({ status }) => status === 'validated')).toBe(true);
  await expectRecordsAgree(stage, sale);

  await stage.settle(sale.deposit);
  const out: string[] = [];
  const err: string[] = [];
  const code = await runVerification(
    { baseUrl: served.url, project: sale.project.id, ledger: [stage.desk.ledger.wsUrl], json: true },
    { out: (text) => out.push(text), err: (text) => err.push(text) },
  );
  const report = verificationReport.parse(JSON.parse(out.join('\n')));
  expect(report.differences).toEqual([]);
  expect(code).toBe(0);
  expect(report).toMatchObject({
    verdict: 'agrees',
    unchecked: [],
    exceptions: { assign: 1 },
    custody: { faults: [] },
  });
  const signatures = report.custody?.witnesses.map((witness) => witness.signatures) ?? [];
  // Never more than are needed, whoever was there.
  expect(signatures.reduce((sum, count) => sum + count, 0)).toBe(2 * (report.custody?.transactions ?? 0));
});
