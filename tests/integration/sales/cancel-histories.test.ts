import { setTimeout as pause } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Wallet } from 'xrpl';
import { investments } from '#drizzle/schema/sale.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { runPayouts } from '#lib/payouts/run-payouts.ts';
import { refundCancelledSales } from '#lib/sales/cancelled-refunds/refund-cancelled-sales.ts';
import { planDistributions } from '#lib/sales/plan-distributions.ts';
import { rowsOf } from '#tests/support/rows.ts';
import {
  expectRecordsAgree,
  holders,
  investmentsOf,
  launchedUnder,
  payoutsOf,
  type Rules,
  sentTo,
  untilQuiet,
} from './cancelled-sales.ts';
import { openStage, type Sale, type Stage } from './stage.ts';

/** Histories to run: one (`SEEDS=17`), or a range (`SEEDS=1-500`). A failure names its seed. */
const [FIRST_SEED = 1, LAST_SEED = FIRST_SEED] = (process.env.SEEDS ?? '1-6').split('-').map(Number);
const SEEDS = Array.from({ length: LAST_SEED - FIRST_SEED + 1 }, (_, index) => FIRST_SEED + index);
const WORKERS = 3;

const STEPS = [
  'confirm',
  'pay_tokens',
  'pay_tokens',
  'pay_xrp',
  'refunds',
  'refunds',
  'plan',
  'close',
  'close',
] as const;
const step = fc.record({
  what: fc.constantFrom(...STEPS),
  /** Pauses between steps let the workers meet in other ways each time. */
  afterMs: fc.nat(15),
  outOfTime: fc.boolean(),
});
const investor = fc.record({
  hasLine: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  drops: fc.array(fc.integer({ min: 20_001, max: 30_000_000 }), { minLength: 1, maxLength: 3 }),
  /** The last of them while the workers run: before or after the cancellation, as it comes. */
  lastAfterMs: fc.option(fc.nat(400)),
});
const history = fc.record({
  investors: fc.array(investor, { minLength: 3, maxLength: 9 }),
  rules: fc.constantFrom<Rules>(
    {},
    {},
    {},
    { distribution: 'at_end' },
    { vesting: { immediate_bps: 4_321, cliff_days: 5, period_days: 5, periods: 2 } },
    // Three parts that are all due at once: any of them may be on its way when the sale is cancelled.
    { vesting: { immediate_bps: 1_000, cliff_days: 0, period_days: 0, periods: 2 } },
  ),
  lostSubmits: fc.constantFrom(0, 0, 1, 3),
  cancelledAfterMs: fc.nat(250),
  workers: fc.array(fc.array(step, { minLength: 30, maxLength: 30 }), { minLength: WORKERS, maxLength: WORKERS }),
});
type History = typeof history extends fc.Arbitrary<infer T> ? T : never;
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function historyOf(seed: number): History {
  const [drawn] = fc.sample(history, { seed, numRuns: 1 });
  if (drawn === undefined) throw new Error('fast-check drew nothing');
  return drawn;
}

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.end());

async function take(sale: Sale, { what, outOfTime }: Step): Promise<void> {
  const { ctx } = stage;
  const deadlineMs = ctx.clock.nowMs() + (outOfTime ? 0 : 60_000);
  switch (what) {
    case 'confirm':
      await stage.advance(sale.deposit, { deadlineMs });
      return;
    case 'pay_tokens':
      await runPayouts(ctx, { account: sale.issuer.address, deadlineMs });
      return;
    case 'pay_xrp':
      await runPayouts(ctx, { account: sale.deposit.address, deadlineMs });
      return;
    case 'refunds':
      expect(await refundCancelledSales(ctx, deadlineMs)).toMatchObject({ broken: 0 });
      return;
    case 'plan':
      await planDistributions(ctx, deadlineMs);
      return;
    case 'close':
      stage.desk.close();
  }
}

async function work(sale: Sale, steps: readonly Step[]): Promise<void> {
  for (const each of steps) {
    await take(sale, each);
    await pause(each.afterMs);
  }
}

/** The deposit account's signer may be busy paying refunds of refused payments: an operator asks again. */
async function cancel(sale: Sale): Promise<void> {
  for (let asked = 0; asked < 20; asked++) {
    try {
      await stage.act(sale, 'cancel');
      return;
    } catch (error) {
      if (!(error instanceof PlatformError) || error.code !== 'conflict') throw error;
    }
  }
  throw new Error('The cancellation was not taken');
}

interface Payer {
  wallet: Wallet;
  late: { drops: number; afterMs: number } | null;
}

async function paidIn(sale: Sale, drawn: History): Promise<Payer[]> {
  const payers: Payer[] = [];
  for (const { hasLine, drops, lastAfterMs } of drawn.investors) {
    const [wallet] = (hasLine ? await holders(stage, sale, 1) : await stage.desk.accounts(1)) as [Wallet];
    const last = lastAfterMs === null ? undefined : drops.at(-1);
    payers.push({ wallet, late: last === undefined ? null : { drops: last, afterMs: lastAfterMs ?? 0 } });
    for (const amount of last === undefined ? drops : drops.slice(0, -1)) await pay(sale, wallet, amount);
  }
  return payers;
}

const pay = (sale: Sale, wallet: Wallet, drops: number) => stage.pay(wallet, sale, drops / 1_000_000);

/** On the ledger each investor has what the books say, and for every payment the tokens or the XRP. */
async function expectTokensOrXrp(sale: Sale, payers: readonly Payer[]): Promise<void> {
  const rows = await investmentsOf(stage, sale);
  const owed = await payoutsOf(stage, sale);
  for (const {
    wallet: { address },
  } of payers) {
    const sent = await sentTo(stage, sale, address);
    const expected = { drops: 0n, units: 0n };
    for (const { investment, payment } of rows.filter((row) => row.payment.sender === address)) {
      const units = owed
        .filter(
          (row) => row.kind === 'distribution' && row.paymentHash === payment.txHash && row.status === 'validated',
        )
        .reduce((sum, row) => sum + row.amount, 0n);
      const totalUnits = investment.totalUnits ?? 0n;
      const confirmedDrops = investment.confirmedDrops ?? 0n;
      // Of what was invested, the share without tokens is back; change and refused payments are back whole.
      const undistributed = totalUnits === 0n ? 0n : (confirmedDrops * (totalUnits - units)) / totalUnits;
      expected.drops += payment.receivedDrops - confirmedDrops + undistributed;
      expected.units += units;
      expect(investment.status).toBe(units > 0n ? 'confirmed' : 'failed');
    }
    expect(sent).toEqual(expected);
  }
}

describe('a sale cancelled in the middle of everything', () => {
  it.each(SEEDS)('leaves every investor with the tokens or the XRP, on the ledger (SEEDS=%i)', async (seed) => {
    const drawn = historyOf(seed);
    const sale = await launchedUnder(stage, drawn.rules, {
      tiers: [
        { price_per_token: '0.1', total_tokens: '300' },
        { price_per_token: '0.333333333333', total_tokens: '100000' },
      ],
    });
    const payers = await paidIn(sale, drawn);
    stage.desk.ledger.faults.set({ loseSubmits: drawn.lostSubmits });
    await Promise.all([
      ...drawn.workers.map((steps) => work(sale, steps)),
      pause(drawn.cancelledAfterMs).then(() => cancel(sale)),
      ...payers.map(async ({ wallet, late }) => {
        if (late === null) return;
        await pause(late.afterMs);
        await pay(sale, wallet, late.drops);
      }),
    ]);
    stage.desk.ledger.faults.clear();
    await untilQuiet(stage, sale);

    const [project] = await rowsOf(stage.database.db, 'projects', { id: sale.project.id });
    expect(project).toMatchObject({
      status: 'cancelled',
      endReason: 'cancelled',
      cancellationCompletedAt: expect.any(Date),
    });
    expect(await stage.database.db.$count(investments, eq(investments.status, 'pending_confirmation'))).toBe(0);
    await expectRecordsAgree(stage, sale);
    await expectTokensOrXrp(sale, payers);
  });
});
