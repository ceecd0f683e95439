import { and, asc, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Wallet } from 'xrpl';
import { events } from '#drizzle/schema/events.ts';
import {
  expectRecordsAgree,
  holders,
  launchedUnder,
  payoutsOf,
  untilQuiet,
} from '#tests/integration/sales/cancelled-sales.ts';
import { authorize, issue } from '#tests/integration/sales/issuance.ts';
import { openStage, type Sale, type Stage } from '#tests/integration/sales/stage.ts';
import { changeRows } from '#tests/support/rows.ts';

/** A tenth at once, the rest in three parts after a cliff. */
const VESTING = { immediate_bps: 1_000, cliff_days: 30, period_days: 30, periods: 3 };
const DECIMALS = 2;
let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.end());

/** A sale, an investor who can hold its token, and what of it the ledger shows on the investor's side, in units. */
interface Kind {
  sale: Sale;
  investor: Wallet;
  heldUnits(): Promise<bigint>;
}

async function issuedCurrency(): Promise<Kind> {
  const issuer = await stage.issuer();
  const token = { kind: 'iou' as const, currency: 'DMO', issuer: issuer.address, decimals: DECIMALS };
  const sale = await launchedUnder(stage, { vesting: VESTING }, { token }, { issuer });
  const [investor] = (await holders(stage, sale, 1)) as [Wallet];
  const heldUnits = async () => {
    const line = await stage.ctx.ledger.trustLine(investor.address, issuer.address, 'DMO');
    const [whole = '0', fraction = ''] = (line?.balance ?? '0').split('.');
    return BigInt(whole + fraction.padEnd(DECIMALS, '0'));
  };
  return { sale, investor, heldUnits };
}

async function multiPurposeToken(): Promise<Kind> {
  const issuer = await stage.account();
  const issuance_id = await issue(stage, issuer, { assetScale: DECIMALS });
  const token = { kind: 'mpt' as const, issuance_id, decimals: DECIMALS };
  const sale = await launchedUnder(stage, { vesting: VESTING }, { token }, { issuer });
  const investor = await stage.account();
  await authorize(stage, investor, issuance_id);
  const heldUnits = async () => (await stage.ctx.ledger.mptHolding(investor.address, issuance_id))?.amount ?? 0n;
  return { sale, investor, heldUnits };
}

/** The day of one part comes. */
const fallsDue = (sale: Sale, part: number) =>
  changeRows(stage.database.db, 'payouts', { projectId: sale.project.id, part }, { dueAt: sql`now()` });

async function reported(sale: Sale) {
  const rows = await stage.database.db
    .select({ body: events.body })
    .from(events)
    .where(and(eq(events.type, 'investment.tokens_distributed'), eq(events.projectId, sale.project.id)))
    .orderBy(asc(events.sequence));
  return rows.map(({ body }) => JSON.parse(body).data);
}

describe.each([
  ['issued currency', issuedCurrency],
  ['a multi-purpose token', multiPurposeToken],
])('a whole sale of %s with vesting', (_, open) => {
  it('pays every part when it is due, from the payment to the last one, each reported with its transaction', async () => {
    const { sale, investor, heldUnits } = await open();
    // 1,000 tokens for 100 XRP, then 123.45 at 0.2.
    await stage.pay(investor, sale, 124.69);
    const parts = [11_234n, 33_703n, 33_704n, 33_704n];
    let held = 0n;
    for (const [index, units] of parts.entries()) {
      if (index > 0) await fallsDue(sale, index + 1);
      await untilQuiet(stage, sale);
      held += units;
      expect(await heldUnits()).toBe(held);
      await untilQuiet(stage, sale);
      expect(await heldUnits()).toBe(held);
    }
    expect(held).toBe(112_345n);
    const rows = await payoutsOf(stage, sale);
    expect(rows.map(({ part, amount, status }) => [part, amount, status])).toEqual(
      parts.map((units, index) => [index + 1, units, 'validated']),
    );
    expect(await reported(sale)).toMatchObject(
      rows.map(({ id, part, txHash, ledgerIndex }) => ({
        payout_id: id,
        part,
        investor_account: investor.address,
        transaction: { hash: txHash, ledger_index: ledgerIndex },
      })),
    );
    await expectRecordsAgree(stage, sale);
  });
});
