import { asc, eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { investments, payments } from '#drizzle/schema/sale.ts';
import { listLists } from '#lib/sales/lists/list-lists.ts';
import { getProject } from '#lib/sales/projects/get-project.ts';
import { addresses, type ListsDesk, openListsDesk } from './lists-world.ts';
import { openStage, type Sale, type Stage } from './stage.ts';

let stage: Stage;
let desk: ListsDesk;

beforeAll(async () => {
  stage = await openStage();
  desk = openListsDesk(stage);
});
afterEach(() => stage.desk.ledger.faults.clear());
afterAll(() => stage?.end());

const [ANNA = '', BERT = ''] = addresses(2);
const entriesOf = (...wallets: string[]) => wallets.map((wallet_address) => ({ wallet_address }));

const investmentsOf = (sale: Sale) =>
  stage.database.db
    .select({ status: investments.status, reason: investments.reason, drops: investments.confirmedDrops })
    .from(investments)
    .innerJoin(payments, eq(payments.txHash, investments.txHash))
    .where(eq(investments.projectId, sale.project.id))
    .orderBy(asc(payments.ledgerIndex), asc(payments.transactionIndex));
const publicLists = async (sale: Sale) =>
  (await listLists(stage.ctx, { projectId: sale.project.id, limit: 50, withDrafts: false })).lists;

describe('a list', () => {
  it('admits a wallet from its move on in ledger order, and not before: not when it is committed, not later than it is decided', async () => {
    const sale = await desk.launched(entriesOf(ANNA));
    const investor = await stage.account();
    const list = await desk.draft(sale, entriesOf(investor.address));

    await stage.pay(investor, sale, 5);
    stage.desk.close();
    stage.desk.ledger.faults.set({ loseSubmits: 1 });
    expect(await desk.commit(list)).toMatchObject({
      status: 'committed',
      in_force: false,
      anchors: [],
      pending_action: { action: 'list', transaction_hash: expect.stringMatching(/^[0-9A-F]{64}$/) },
    });
    // Published, but its action has not reached the ledger.
    await stage.pay(investor, sale, 6);
    await stage.settle(sale.deposit);
    // This run has submitted the action again.
    await stage.settle(sale.deposit);
    await stage.pay(investor, sale, 7);
    await stage.settle(sale.deposit);

    expect(await investmentsOf(sale)).toEqual([
      { status: 'failed', reason: 'not_admitted', drops: 0n },
      { status: 'failed', reason: 'not_admitted', drops: 0n },
      { status: 'confirmed', reason: null, drops: 7_000_000n },
    ]);
    const [action] = (await desk.listActionsOf(sale))
      .filter(({ listHash }) => listHash !== sale.project.list_hash)
      .slice(-1);
    const [newest] = await publicLists(sale);
    expect(newest).toMatchObject({
      id: list.id,
      in_force: true,
      anchors: [{ transaction_hash: action?.txHash, ledger_index: action?.ledgerIndex }],
    });
    expect(await getProject(stage.ctx, sale.project.id)).toMatchObject({
      list_hash: newest?.hash,
      pending_action: null,
    });
  });

  it('takes effect between two payments that are read and decided together with its action', async () => {
    const sale = await desk.launched(entriesOf(ANNA));
    const investor = await stage.account();
    const list = await desk.draft(sale, entriesOf(investor.address));
    await stage.pay(investor, sale, 5);
    stage.desk.close();
    await desk.commit(list);
    stage.desk.close();
    await stage.pay(investor, sale, 6);
    await stage.settle(sale.deposit);
    expect(await investmentsOf(sale)).toMatchObject([
      { status: 'failed', reason: 'not_admitted' },
      { status: 'confirmed', drops: 6_000_000n },
    ]);
  });

  it('limits a wallet to its own cap over all its payments, to the drop', async () => {
    const investor = await stage.account();
    const sale = await desk.launched([{ wallet_address: investor.address, cap_xrp: '5.000001' }]);
    await stage.pay(investor, sale, 3);
    stage.desk.close();
    await stage.pay(investor, sale, 4);
    stage.desk.close();
    await stage.pay(investor, sale, 1);
    await stage.settle(sale.deposit);
    const [first, second, third] = await investmentsOf(sale);
    expect(first).toMatchObject({ status: 'confirmed', drops: 3_000_000n });
    expect(second).toMatchObject({ status: 'confirmed', drops: 2_000_001n });
    expect(third).toEqual({ status: 'failed', reason: 'above_wallet_cap', drops: 0n });
  });

  it('limits a wallet in listed tiers only: what it bought in an open one before does not count', async () => {
    const investor = await stage.account();
    const sale = await stage.draft({
      tiers: [
        { price_per_token: '0.10', total_tokens: '100' },
        { price_per_token: '0.20', total_tokens: '5000', access: 'allowlist' },
      ],
    });
    await desk.inForce(sale, [{ wallet_address: investor.address, cap_xrp: '5' }]);
    await stage.act(sale, 'launch');
    await stage.settle(sale.deposit);
    // The whole open tier, decided before the rest: its totals are read again.
    await stage.pay(investor, sale, 10);
    await stage.settle(sale.deposit);
    await stage.pay(investor, sale, 3);
    await stage.settle(sale.deposit);
    await stage.pay(investor, sale, 4);
    await stage.settle(sale.deposit);
    expect(await investmentsOf(sale)).toMatchObject([
      { status: 'confirmed', drops: 10_000_000n },
      { status: 'confirmed', drops: 3_000_000n },
      { status: 'confirmed', drops: 2_000_000n },
    ]);
  });

  it('gives way to the version that is committed after it, and can be put in force again', async () => {
    const sale = await stage.draft();
    const older = await desk.inForce(sale, entriesOf(ANNA));
    const newer = await desk.inForce(sale, entriesOf(ANNA, BERT));
    expect((await publicLists(sale)).map(({ id, in_force }) => [id, in_force])).toEqual([
      [newer.id, true],
      [older.id, false],
    ]);
    const again = await desk.commit(older);
    expect(again).toMatchObject({ version: 1, pending_action: { action: 'list' } });
    await stage.settle(sale.deposit);
    const [second, first] = await publicLists(sale);
    expect(second).toMatchObject({ id: newer.id, in_force: false });
    expect(first).toMatchObject({ id: older.id, in_force: true, committed_at: again.committed_at });
    expect(first?.anchors).toHaveLength(2);
    expect(first?.anchors[1]?.transaction_hash).toBe(again.pending_action?.transaction_hash);
  });

  it('whose action expired is published and not in force, and can be committed again', async () => {
    const sale = await stage.draft();
    const list = await desk.draft(sale, entriesOf(ANNA));
    stage.desk.ledger.faults.set({ loseSubmits: 1_000 });
    await desk.commit(list);
    const [lost] = await desk.listActionsOf(sale);
    const { validatedIndex } = await stage.ctx.ledger.serverState();
    stage.desk.close((lost?.lastLedgerSequence ?? 0) - validatedIndex + 1);
    await stage.advance(sale.deposit);
    expect((await desk.listActionsOf(sale)).map(({ status }) => status)).toEqual(['expired']);
    expect(await publicLists(sale)).toMatchObject([{ id: list.id, in_force: false, anchors: [] }]);

    stage.desk.ledger.faults.clear();
    await desk.commit(list);
    await stage.settle(sale.deposit);
    expect(await publicLists(sale)).toMatchObject([{ id: list.id, in_force: true }]);
  });
});
