import { allocationRow, type PublishedAllocation } from '@tranche/verifier/published.ts';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Wallet } from 'xrpl';
import { events } from '#drizzle/schema/events.ts';
import { depositAccounts, investments, payments } from '#drizzle/schema/sale.ts';
import { loadInvestmentResources } from '#lib/sales/investments/read-investments.ts';
import { exportAllocations } from '#lib/sales/published/export-allocations.ts';
import { ledgerUnavailable } from '#lib/xrpl/fault.ts';
import type { Ledger } from '#lib/xrpl/types.ts';
import { advanceAccount } from '#tests/integration/sales/advance-account.ts';
import { rowsOf } from '#tests/support/rows.ts';
import { openStage, type Sale, type Stage } from './stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
afterEach(() => stage.set({ CONFIRMATIONS: undefined }));
afterAll(() => stage?.end());

/** The ledger, with every close time that is asked of it; `head` stands in for its answer. */
function asked(head: Ledger['head'] = stage.ctx.ledger.head): { ledger: Ledger; ledgers: number[] } {
  const ledgers: number[] = [];
  const ledger: Ledger = {
    ...stage.ctx.ledger,
    head: async (ledgerIndex) => {
      ledgers.push(ledgerIndex);
      return head(ledgerIndex);
    },
  };
  return { ledger, ledgers };
}

const advance = async (sale: Sale, ledger: Ledger = stage.ctx.ledger) =>
  advanceAccount(
    { ...stage.ctx, ledger },
    {
      account: sale.deposit.address,
      server: await ledger.serverState(),
      deadlineMs: Number.POSITIVE_INFINITY,
      stillMine: async () => true,
    },
  );

const paymentOf = async (hash: string) => {
  const [payment] = await rowsOf(stage.database.db, 'payments', { txHash: hash });
  if (payment === undefined) throw new Error(`No payment ${hash}`);
  return payment;
};
/** When the ledger closed that stands `after` ledgers after the payment's. */
const closeAfter = async (hash: string, after: number): Promise<string> =>
  new Date(await stage.ctx.ledger.closedAtMs((await paymentOf(hash)).ledgerIndex + after)).toISOString();

interface Told {
  event_type: string;
  timestamp: string;
  data: { created_at?: string; transaction: { hash: string; confirmed_at?: string } };
}

/** The events about one payment's investment, in the order in which they were written. */
async function toldOf(hash: string): Promise<Told[]> {
  const rows = await stage.database.db.select({ body: events.body }).from(events).orderBy(events.sequence);
  return rows
    .map(({ body }) => JSON.parse(body) as Told)
    .filter((told) => told.event_type.startsWith('investment.') && told.data.transaction.hash === hash);
}

async function resourceOf(hash: string) {
  const [row] = await stage.database.db
    .select()
    .from(investments)
    .innerJoin(payments, eq(payments.txHash, investments.txHash))
    .where(eq(investments.txHash, hash));
  if (row === undefined) throw new Error(`No investment by ${hash}`);
  const [resource] = await loadInvestmentResources(stage.database.db, [
    { investment: row.investments, payment: row.payments, decimals: 6 },
  ]);
  return resource;
}

async function allocationsOf(sale: Sale): Promise<PublishedAllocation[]> {
  let text = '';
  const { chunks } = await exportAllocations(stage.ctx, { id: sale.project.id, format: 'jsonl' });
  for await (const chunk of chunks) text += chunk;
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => allocationRow.unwrap().strict().parse(JSON.parse(line)));
}

const confirmedLedgerOf = async ({ deposit }: Sale) =>
  (
    await stage.database.db
      .select({ confirmedLedger: depositAccounts.confirmedLedger })
      .from(depositAccounts)
      .where(eq(depositAccounts.address, deposit.address))
  )[0]?.confirmedLedger ?? 0;

/** A payment of 5 XRP in a ledger of its own: the next one to close. */
async function paid(sale: Sale, payer?: Wallet): Promise<string> {
  const hash = await stage.pay(payer ?? (await stage.account()), sale, 5);
  stage.desk.close();
  return hash;
}

describe('an investment is confirmed at the close of the ledger that confirmed it', () => {
  it('in its events, its resource and the export, which says beside it when it was decided', async () => {
    const sale = await stage.launched();
    const hash = await paid(sale);
    stage.desk.close();
    await advance(sale);

    const paidAt = await closeAfter(hash, 0);
    const confirmedAt = await closeAfter(hash, 1);
    expect(Date.parse(confirmedAt)).toBeGreaterThan(Date.parse(paidAt));
    expect(await toldOf(hash)).toMatchObject([
      { event_type: 'investment.created', timestamp: paidAt, data: { created_at: paidAt } },
      {
        event_type: 'investment.confirmed',
        timestamp: confirmedAt,
        data: { transaction: { confirmed_at: confirmedAt } },
      },
    ]);
    expect(await resourceOf(hash)).toMatchObject({
      created_at: paidAt,
      transaction: { confirmed_at: confirmedAt },
    });
    expect(await allocationsOf(sale)).toMatchObject([{ confirmed_at: confirmedAt, decided_at: paidAt }]);
  });

  it('also when it is decided much later, and when every payment needs more ledgers', async () => {
    const sale = await stage.launched();
    const first = await paid(sale);
    stage.desk.close(7);
    await advance(sale);
    stage.set({ CONFIRMATIONS: '3' });
    const second = await paid(sale);
    stage.desk.close(9);
    await advance(sale);

    expect((await resourceOf(first))?.transaction.confirmed_at).toBe(await closeAfter(first, 1));
    expect((await resourceOf(second))?.transaction.confirmed_at).toBe(await closeAfter(second, 3));
  });

  it('and a payment that is refused is told of with that time too: after its creation', async () => {
    const sale = await stage.launched({ min_investment_xrp: '100' });
    const hash = await paid(sale);
    stage.desk.close();
    await advance(sale);

    expect((await toldOf(hash)).map((told) => [told.event_type, told.timestamp])).toEqual([
      ['investment.created', await closeAfter(hash, 0)],
      ['investment.failed', await closeAfter(hash, 1)],
    ]);
    expect((await resourceOf(hash))?.transaction.confirmed_at).toBeNull();
  });
});

describe('the close time of a confirming ledger', () => {
  it('is asked for once for all payments of a ledger, and never where it is known already', async () => {
    const sale = await stage.launched();
    const payer = await stage.account();
    for (let count = 0; count < 3; count++) await stage.pay(payer, sale, 5);
    stage.desk.close();
    const next = await paid(sale, payer);
    stage.desk.close(5);
    const { ledger, ledgers } = asked();
    expect(await advance(sale, ledger)).toMatchObject({ confirmed: 4 });

    // The first ledger is confirmed by one of the feed's own, the second by one that holds nothing of the sale.
    expect(ledgers).toEqual([(await paymentOf(next)).ledgerIndex + 1]);
    const newest = await paid(sale, payer);
    stage.desk.close();
    expect(await advance(sale, ledger)).toMatchObject({ confirmed: 1 });
    expect((await resourceOf(newest))?.transaction.confirmed_at).toBe(await closeAfter(newest, 1));
    // The newest ledger's time was told with the server's state.
    expect(ledgers).toHaveLength(1);
  });

  it('is not needed where a payment is confirmed by its own ledger', async () => {
    stage.set({ CONFIRMATIONS: '0' });
    const sale = await stage.launched();
    const hash = await paid(sale);
    const { ledger, ledgers } = asked();
    expect(await advance(sale, ledger)).toMatchObject({ confirmed: 1 });

    expect(ledgers).toEqual([]);
    expect((await resourceOf(hash))?.transaction.confirmed_at).toBe(await closeAfter(hash, 0));
  });

  it('is waited for: until a server tells it, that payment and all after it stay as they are', async () => {
    const sale = await stage.launched();
    const payer = await stage.account();
    const before = await paid(sale, payer);
    stage.desk.close(2);
    const hash = await paid(sale, payer);
    stage.desk.close(2);
    const after = await paid(sale, payer);
    stage.desk.close(4);
    const confirming = (await stage.ctx.ledger.serverState()).validatedIndex - 6;
    const { ledger } = asked(async (ledgerIndex) => {
      if (ledgerIndex === confirming) throw ledgerUnavailable('gone');
      return stage.ctx.ledger.head(ledgerIndex);
    });

    for (let times = 0; times < 2; times++) {
      await expect(advance(sale, ledger)).rejects.toMatchObject({ code: 'ledger_unavailable' });
      expect((await paymentOf(hash)).ledgerIndex).toBe(confirming - 1);
      expect(await confirmedLedgerOf(sale)).toBe(confirming - 2);
      const outcomes = [before, hash, after].map(async (each) => (await paymentOf(each)).outcome);
      expect(await Promise.all(outcomes)).toEqual(['invested', 'pending', 'pending']);
    }
    expect((await toldOf(hash)).map((told) => told.event_type)).toEqual(['investment.created']);

    expect(await advance(sale)).toMatchObject({ confirmed: 2 });
    expect((await resourceOf(hash))?.transaction.confirmed_at).toBe(await closeAfter(hash, 1));
    expect((await resourceOf(after))?.transaction.confirmed_at).toBe(await closeAfter(after, 1));
  });
});
