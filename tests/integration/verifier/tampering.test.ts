import { randomBytes } from 'node:crypto';
import { investmentId } from '@tranche/rules/ids.ts';
import { verifySale } from '@tranche/verifier/verify-sale.ts';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Wallet } from 'xrpl';
import { payouts } from '#drizzle/schema/payouts.ts';
import { actions, allocations, investments, listEntries, payments, projects, tiers } from '#drizzle/schema/sale.ts';
import { formatLedgerValue } from '#lib/base/money.ts';
import { databaseSource } from '#lib/sales/verification/database-source.ts';
import { holders, trust, untilQuiet } from '#tests/integration/sales/cancelled-sales.ts';
import { lateDiscovery } from '#tests/integration/sales/forgetful-feed.ts';
import { CURRENCY, openStage, type Sale, type Stage } from '#tests/integration/sales/stage.ts';
import { rowsOf } from '#tests/support/rows.ts';
import { replacing, verifyAltered } from './altered.ts';
import { dropPaidOnce, fullScene, named, type Scene, type Verified, verify } from './scene.ts';
import { type Served, serveRoutes } from './serve.ts';

let stage: Stage;
let served: Served;
let scene: Scene;
beforeAll(async () => {
  stage = await openStage();
  served = await serveRoutes();
  scene = await fullScene(stage);
});
afterAll(async () => {
  await served?.close();
  await stage?.end();
});

type Statement = ReturnType<typeof sql>;

/** What the command finds while the books are changed; afterwards they are as they were. */
async function whileTampered(change: Statement, undo: Statement, sale = scene.sale): Promise<Verified> {
  const { db } = stage.database;
  await db.execute(change);
  try {
    const found = await verify(stage, served, sale);
    expect(found).toMatchObject({ code: 1, report: { verdict: 'differs' } });
    return found;
  } finally {
    await db.execute(undo);
  }
}

const newHash = (): string => randomBytes(32).toString('hex').toUpperCase();

/** A small sale of its own, for what cannot be undone on the ledger: paid once, by an investor who can or cannot hold tokens. */
async function smallSale({ canHold }: { canHold: boolean }): Promise<{ sale: Sale; investor: Wallet; hash: string }> {
  const sale = await stage.launched();
  const [investor] = canHold ? await holders(stage, sale, 1) : [await stage.account()];
  if (investor === undefined) throw new Error('No investor');
  const hash = await stage.pay(investor, sale, 10);
  await stage.settle(sale.deposit);
  await untilQuiet(stage, sale);
  await stage.settle(sale.deposit);
  return { sale, investor, hash };
}

const distributionOf = async (hash: string) => {
  const [row] = await rowsOf(stage.database.db, 'payouts', { paymentHash: hash, kind: 'distribution' });
  if (row === undefined) throw new Error(`No distribution of ${hash}`);
  return row;
};

/** Tokens that the issuer sends by hand; gives the transaction and its ledger. */
async function sendTokens(sale: Sale, to: string, units: bigint): Promise<{ hash: string; ledger: number }> {
  const hash = await stage.desk.send(sale.issuer, {
    TransactionType: 'Payment',
    Account: sale.issuer.address,
    Destination: to,
    Amount: { currency: CURRENCY, issuer: sale.issuer.address, value: formatLedgerValue(units, 6) },
  });
  const ledger = stage.desk.close();
  await stage.settle(sale.deposit);
  return { hash, ledger };
}

describe('tampering with the books is found and named', () => {
  it('an allocation that was changed in the database', async () => {
    const { plain } = scene.hashes;
    const of = sql`where investment_id = ${investmentId(plain)} and tier = 1`;
    const found = await whileTampered(
      sql`update ${allocations} set units = units + 1000 ${of}`,
      sql`update ${allocations} set units = units - 1000 ${of}`,
    );
    expect(named(found)).toEqual([['allocation_differs', `${plain} tier 1`, 'tokens']]);
    expect(found.report.differences[0]?.message).toMatch(/tokens must be .* and is published as/);
  });

  it('a confirmation that is said to be older than what it confirms', async () => {
    const { plain } = scene.hashes;
    const of = sql`where tx_hash = ${plain}`;
    const found = await whileTampered(
      sql`update ${investments} set confirmed_at = confirmed_at - interval '1 day' ${of}`,
      sql`update ${investments} set confirmed_at = confirmed_at + interval '1 day' ${of}`,
    );
    expect(named(found)).toEqual([
      ['allocation_differs', `${plain} tier 1`, 'confirmed_at'],
      ['allocation_differs', `${plain} tier 2`, 'confirmed_at'],
    ]);
    expect(found.report.differences[0]?.message).toMatch(/confirmed_at must be .* or later, and is published as/);
  });

  it('a payment that is missing', async () => {
    const { notListed } = scene.hashes;
    const { destination_tag: tag } = scene.sale.project;
    const found = await whileTampered(
      sql`update ${payments} set destination_tag = null, project_id = null where tx_hash = ${notListed}`,
      sql`update ${payments} set destination_tag = ${tag}, project_id = ${scene.sale.project.id} where tx_hash = ${notListed}`,
    );
    expect(named(found)).toContainEqual(['payment_missing', notListed]);
  });

  it('a payment that nobody made, also when it is passed off as a late discovery', async () => {
    const hash = newHash();
    const { project, deposit } = scene.sale;
    const found = await whileTampered(
      sql`insert into ${payments} (tx_hash, account, ledger_index, transaction_index, closed_at, sender, destination_tag,
          received_drops, project_id, outcome, reason, held_drops)
        select ${hash}, account, ledger_index, 4711, closed_at, sender, ${project.destination_tag}, 5000000, ${project.id},
          'held', 'late_discovery', 5000000 from ${payments} where account = ${deposit.address} limit 1`,
      sql`delete from ${payments} where tx_hash = ${hash}`,
    );
    expect(named(found)).toEqual([['payment_extra', hash]]);
  });

  it('a price that was changed after the launch', async () => {
    const of = sql`where project_id = ${scene.sale.project.id} and tier = 2`;
    const found = await whileTampered(
      sql`update ${tiers} set price = price * 2 ${of}`,
      sql`update ${tiers} set price = price / 2 ${of}`,
    );
    expect(named(found)).toContainEqual(['terms_shown_differ', scene.sale.project.id, 'tiers[1].price_per_token']);
    expect(named(found)).toContainEqual(['allocation_differs', `${scene.hashes.plain} tier 2`, 'price_per_token']);
  });

  it('a price that was changed in the published terms, their hash with it', async () => {
    const of = sql`where id = ${scene.sale.project.id}`;
    const found = await whileTampered(
      sql`update ${projects} set terms = replace(terms, '"0.30"', '"0.25"'),
        terms_hash = encode(sha256(convert_to(replace(terms, '"0.30"', '"0.25"'), 'UTF8')), 'hex') ${of}`,
      sql`update ${projects} set terms = replace(terms, '"0.25"', '"0.30"'),
        terms_hash = encode(sha256(convert_to(replace(terms, '"0.25"', '"0.30"'), 'UTF8')), 'hex') ${of}`,
    );
    expect(named(found)).toContainEqual(['terms_differ', scene.sale.project.id, 'terms_hash']);
  });

  it('an allowlist that was changed after it was anchored', async () => {
    const [first] = scene.investors;
    const of = sql`where wallet_address = ${first?.address}`;
    const { db } = stage.database;
    await db.execute(sql`alter table ${listEntries} disable trigger user`);
    const found = await whileTampered(
      sql`update ${listEntries} set cap_drops = cap_drops + 1000000 ${of}`,
      sql`update ${listEntries} set cap_drops = cap_drops - 1000000 ${of}`,
    );
    await db.execute(sql`alter table ${listEntries} enable trigger user`);
    expect(named(found)).toContainEqual(['list_differs', expect.stringMatching(/^list_/), 'hash']);
  });

  it('tiers whose order was changed', async () => {
    const { id } = scene.sale.project;
    const swap = sql`update ${tiers} as t set price = o.price from ${tiers} as o
      where t.project_id = ${id} and o.project_id = ${id} and t.tier = 3 - o.tier`;
    const found = await whileTampered(swap, swap);
    expect(named(found)).toEqual(
      expect.arrayContaining([
        ['terms_shown_differ', id, 'tiers[0].price_per_token'],
        ['terms_shown_differ', id, 'tiers[1].price_per_token'],
      ]),
    );
  });

  it('an exception that is not published: an assign, and a payment that is said to have come too late', async () => {
    const { late } = scene.hashes;
    const hidden = await whileTampered(
      sql`update ${actions} set status = 'ineffective' where payment_hash = ${late}`,
      sql`update ${actions} set status = 'applied' where payment_hash = ${late}`,
    );
    const [assign] = await rowsOf(stage.database.db, 'actions', { paymentHash: late });
    // Without its exception the payment would have been decided in its own place.
    expect(hidden.report.differences.map(({ subject }) => subject.slice(0, 64))).toContain(late);
    const sale = await stage.launched();
    const missed = await lateDiscovery(stage, sale, await stage.account(), 10);
    await stage.settle(sale.deposit);
    expect((await verify(stage, served, sale)).code).toBe(0);
    const silent = await whileTampered(
      sql`update ${payments} set reason = 'after_end' where tx_hash = ${missed}`,
      sql`update ${payments} set reason = 'late_discovery' where tx_hash = ${missed}`,
      sale,
    );
    expect(named(silent)).toContainEqual(['payment_differs', missed, 'outcome']);
    expect(assign?.status).toBe('applied');
  });
});

it('an allocation that is published as decided at another time is found and named', async () => {
  const report = await verifyAltered(stage, scene.sale, (honest) => ({
    allocations: (id, asOf, cursor) =>
      replacing(honest.allocations(id, asOf, cursor), (row) => [
        // Still before its confirmation.
        row.tier === 1 && row.transaction_hash === scene.hashes.plain
          ? { ...row, decided_at: new Date(Date.parse(row.decided_at) - 1).toISOString() }
          : row,
      ]),
  }));
  expect(report.differences).toMatchObject([
    { kind: 'allocation_differs', subject: `${scene.hashes.plain} tier 1`, field: 'decided_at' },
  ]);
});

it('an assign on the ledger that the list of exceptions leaves out is found and named', async () => {
  const source = databaseSource(stage.ctx);
  const { progress } = await verifySale({
    source: {
      ...source,
      exceptions: async (id) => (await source.exceptions(id)).filter(({ kind }) => kind !== 'assign'),
    },
    ledger: stage.ctx.ledger,
    projectId: scene.sale.project.id,
    asOf: null,
    progress: null,
    pageDone: async () => true,
  });
  const [assign] = await rowsOf(stage.database.db, 'actions', { paymentHash: scene.hashes.late });
  expect(progress.findings.differences).toMatchObject([{ kind: 'exception_not_published', subject: assign?.txHash }]);
});

describe('what was really paid is found and named', () => {
  it('a payout that is claimed to be paid', async () => {
    const { sale, hash } = await smallSale({ canHold: false });
    expect(await verify(stage, served, sale)).toMatchObject({ code: 0, report: { checked: { payouts_owed: 1 } } });
    const { id, status, reason } = await distributionOf(hash);
    const [{ ledger } = { ledger: 0 }] = await stage.database.db
      .select({ ledger: payments.ledgerIndex })
      .from(payments)
      .where(eq(payments.txHash, hash));
    const found = await whileTampered(
      sql`update ${payouts} set status = 'validated', reason = null, tx_hash = ${newHash()}, ledger_index = ${ledger + 1} where id = ${id}`,
      sql`update ${payouts} set status = ${status}, reason = ${reason}, tx_hash = null, ledger_index = null where id = ${id}`,
      sale,
    );
    expect(named(found)).toEqual([['payout_not_on_ledger', id]]);
  });

  it('a payout that was paid twice', async () => {
    const { sale, investor, hash } = await smallSale({ canHold: true });
    const { id, amount } = await distributionOf(hash);
    expect((await verify(stage, served, sale)).code).toBe(0);
    const again = await sendTokens(sale, investor.address, amount);
    const found = await verify(stage, served, sale);
    expect(found.code).toBe(1);
    expect(named(found)).toEqual([['payout_paid_twice', id]]);
    expect(found.report.differences[0]).toMatchObject({ found: again.hash, ledger_index: again.ledger });
  });

  it('tokens that an investor got beside every payout', async () => {
    const { sale, investor } = await smallSale({ canHold: true });
    const gift = await sendTokens(sale, investor.address, 123_456n);
    const found = await verify(stage, served, sale);
    expect(named(found)).toEqual([['unexplained_payment', gift.hash]]);
  });

  it('a payout that went to somebody else', async () => {
    const { sale, hash } = await smallSale({ canHold: false });
    const [stranger] = (await holders(stage, sale, 1)) as [Wallet];
    const { id, amount, status, reason } = await distributionOf(hash);
    const paid = await sendTokens(sale, stranger.address, amount);
    const found = await whileTampered(
      sql`update ${payouts} set status = 'validated', reason = null, tx_hash = ${paid.hash}, ledger_index = ${paid.ledger} where id = ${id}`,
      sql`update ${payouts} set status = ${status}, reason = ${reason}, tx_hash = null, ledger_index = null where id = ${id}`,
      sale,
    );
    expect(named(found)).toEqual([['payout_misdirected', id, 'destination']]);
  });

  it('a refund of the wrong amount, whatever the books say of it', async () => {
    const sale = await stage.launched({ min_investment_xrp: '5' });
    const hash = await stage.pay(await stage.account(), sale, 3);
    await stage.settle(sale.deposit);
    const of = sql`where payment_hash = ${hash} and kind = 'refund'`;
    await stage.database.db.execute(sql`update ${payouts} set amount = 1000000 ${of}`);
    await untilQuiet(stage, sale);
    await stage.settle(sale.deposit);
    const [{ id } = { id: '' }] = await rowsOf(stage.database.db, 'payouts', { paymentHash: hash });
    const open = await verify(stage, served, sale);
    expect(open.code).toBe(1);
    expect(named(open)).toEqual([['payout_differs', id, 'amount_xrp']]);
    const denied = await whileTampered(
      sql`update ${payouts} set amount = 3000000 ${of}`,
      sql`update ${payouts} set amount = 1000000 ${of}`,
      sale,
    );
    expect(named(denied)).toEqual([['payout_paid_otherwise', id, 'amount']]);
  });

  it('one transaction that stands for two payouts', async () => {
    const { sale, investor, hash } = await smallSale({ canHold: true });
    const other = await stage.pay(investor, sale, 10);
    await stage.settle(sale.deposit);
    await untilQuiet(stage, sale);
    await stage.settle(sale.deposit);
    const [first, second] = [await distributionOf(hash), await distributionOf(other)];
    const passOff = sql`update ${payouts} set tx_hash = ${first.txHash}, ledger_index = ${first.ledgerIndex} where id = ${second.id}`;
    await expect(stage.database.db.execute(passOff)).rejects.toMatchObject({
      cause: { constraint: 'payouts_paid_once' },
    });
    await dropPaidOnce(stage);
    const found = await whileTampered(
      passOff,
      sql`update ${payouts} set tx_hash = ${second.txHash}, ledger_index = ${second.ledgerIndex} where id = ${second.id}`,
      sale,
    );
    expect(named(found)).toContainEqual(['transaction_used_twice', [first.id, second.id].sort()[1]]);
  });

  it('is no difference when the platform has not seen its own payment yet', async () => {
    const { sale, investor, hash } = await smallSale({ canHold: false });
    await trust(stage, sale, investor);
    stage.desk.close();
    const { amount } = await distributionOf(hash);
    await sendTokens(sale, investor.address, amount);
    expect((await verify(stage, served, sale)).code).toBe(0);
  });
});
