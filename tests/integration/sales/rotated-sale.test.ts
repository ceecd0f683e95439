import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { runVerification } from '@tranche/verifier/command.ts';
import { verificationReport } from '@tranche/verifier/report.ts';
import { eq, ne, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Wallet } from 'xrpl';
import { payouts } from '#drizzle/schema/payouts.ts';
import { investments, payments } from '#drizzle/schema/sale.ts';
import { combineSignatures, setUpCustody, signTransaction, submitTransaction } from '#lib/custody/command.ts';
import { takeIn } from '#lib/jobs/intake.ts';
import { processTransactions } from '#lib/jobs/process-transactions.ts';
import { releaseRaised } from '#lib/payouts/release/release-raised.ts';
import { openUnderItsSigners, setCustody } from '#lib/sales/accounts/set-custody.ts';
import { refundPayment } from '#lib/sales/held/refund-payment.ts';
import { quoteAmount } from '#lib/sales/investments/quote.ts';
import { getProject } from '#lib/sales/projects/get-project.ts';
import { registerSecrets } from '#tests/support/secrets.ts';
import { beat, expectRecordsAgree, holders, sentTo } from './cancelled-sales.ts';
import type { Sale } from './stage.ts';
import { type OperatedWitness, openWitnessedStage, terminal, type WitnessedStage } from './witnessed-stage.ts';

// One deposit account and one distributor sell twice; between the sales one witness's key is replaced.

const XRP = 1_000_000n;
const TOKEN = 1_000_000n;
let world: WitnessedStage;
let first: Sale;
let second: Sale;
let ada: Wallet;
let treasury: Wallet;
let joined: OperatedWitness;
/** XRP of the platform's own, for fees. */
let operating: string;

beforeAll(async () => {
  world = await openWitnessedStage();
  treasury = await world.stage.account();
  const tiers = [{ price_per_token: '0.10', total_tokens: '1000' }];
  first = await world.draft({ tiers, treasury: treasury.address });
  [ada] = (await holders(world.stage, first, 1)) as [Wallet];
  await world.stage.act(first, 'launch');
  await world.stage.settle(first.deposit);
  await world.stage.pay(ada, first, 5);
  await untilPaid(first);
  joined = await world.join();
});
afterAll(() => world?.end());

const unpaid = () =>
  world.stage.database.db
    .select({ id: payouts.id, status: payouts.status, reason: payouts.reason })
    .from(payouts)
    .where(ne(payouts.status, 'validated'));
async function untilPaid(sale: Sale): Promise<void> {
  await world.stage.database.db.execute(
    sql`update ${payouts} set next_check_at = now() where status not in ('validated', 'cancelled')`,
  );
  for (let beats = 0; beats < 20; beats++) {
    await beat(world.stage, sale);
    if ((await unpaid()).length === 0) return;
  }
  throw new Error(`Not all is paid after 20 beats: ${JSON.stringify(await unpaid())}`);
}

/** The set after the rotation, as an operator sends it. */
const next = () => signersWith(joined.key);
function signersWith(account: string) {
  const { quorum, platform, witnesses, ledgers_to_live } = world.set;
  const others = witnesses.map((each, index) => (index === 2 ? { ...each, account, name: 'W9' } : each));
  return { quorum, platform, witnesses: others, ledgers_to_live };
}
const put = (custody = next()) =>
  setCustody(world.stage.ctx, { address: first.deposit.address, custody, reason: 'the key of W2 is lost' });
const keys = () => {
  const [w0, w1] = world.witnesses;
  return [world.platform, ...[w0, w1, joined].map(({ key, seed }) => ({ address: key, seed }))];
};
const onLedger = () => ({ ledger: world.ledger, pollMs: 15 });

/** Each key holder signs the transaction in a file, and it is sent. */
async function byHand(transaction: string): Promise<void> {
  const files: string[] = [];
  for (const key of keys()) {
    const signed = terminal();
    expect(await signTransaction({ transaction, keyFile: world.keyFile(key) }, signed)).toBe(0);
    files.push(path.join(world.folder, `signed-${key.address}.json`));
    writeFileSync(files.at(-1) ?? '', signed.lines.join('\n'));
  }
  const combined = terminal();
  expect(await combineSignatures({ ...onLedger(), files }, combined)).toBe(0);
  const file = path.join(world.folder, 'combined.json');
  writeFileSync(file, combined.lines.join('\n'));
  expect(await world.whileClosing(() => submitTransaction({ ...onLedger(), transaction: file }, terminal()))).toBe(0);
}
const guided = (account: string, set: ReturnType<typeof next>) => {
  const custody = path.join(world.folder, 'custody.next.json');
  writeFileSync(custody, JSON.stringify(set));
  const { folder, served } = world;
  return { ...onLedger(), accounts: [account], custody, folder, baseUrl: served.url, wait: 1 };
};
/** The list, and a transaction that every key of it has signed; by keys that are all on one machine. */
async function goOver(account: string, set: ReturnType<typeof next>, by: Parameters<typeof world.keyFile>[0][]) {
  const told = terminal();
  const options = { ...guided(account, set), keyFile: by.map(world.keyFile) };
  expect(await world.whileClosing(() => setUpCustody(options, told)), told.text).toBe(0);
}
async function rotateOne(account: string): Promise<void> {
  const told = terminal();
  expect(await setUpCustody({ ...guided(account, next()), keyFile: [] }, told), told.text).toBe(1);
  await byHand(path.join(world.folder, `signer_list-${account}.json`));
  await goOver(account, next(), keys());
}

async function verified(sale: Sale) {
  const out: string[] = [];
  await runVerification(
    { baseUrl: world.served.url, project: sale.project.id, ledger: [world.stage.desk.ledger.wsUrl], json: true },
    { out: (text) => out.push(text), err: () => {} },
  );
  return verificationReport.parse(JSON.parse(out.join('\n')));
}

test('while anything of the sale is open, other signers are refused, and what is open is named', async () => {
  const { stage } = world;
  const other = { ...world.set, ledgers_to_live: 21 };
  const custody = { quorum: 4, platform: other.platform, witnesses: other.witnesses, ledgers_to_live: 21 };
  const refused = async (what: string) => {
    await expect(put(custody as never)).rejects.toMatchObject({
      code: 'conflict',
      detail: expect.stringContaining(what),
    });
    // The console tells it before the list is replaced.
    expect((await openUnderItsSigners(stage.ctx, first.deposit.address)).join('; ')).toContain(what);
  };
  await refused('is not over');
  const held = await stage.pay(ada, first, 0.0002, null);
  await stage.settle(first.deposit);
  await refused(`the payment ${held} is held`);
  await refundPayment(stage.ctx, { transactionHash: held, reason: 'sent by mistake' });
  await refused('the payout pay_');
  await untilPaid(first);
  operating = await stage.pay(treasury, first, 3, null);
  await stage.settle(first.deposit);
  await stage.act(first, 'end');
  await stage.settle(first.deposit);
  await refused('has raised XRP that was not released');
  await releaseRaised(stage.ctx, { projectId: first.project.id, dryRun: false, reason: 'all of it' });
  await untilPaid(first);
});

test('after the rotation the account goes on under the new signers, and what is not so yet is named with what to do', async () => {
  const { stage } = world;
  const { deposit, issuer } = first;
  const draft = await stage.draft({ treasury: treasury.address, name: 'Second' }, { deposit, issuer });
  second = draft;
  for (const account of [deposit, issuer]) stage.entrust(account, world.platform);
  // One that nobody pays before the signers change, and one after: no witness can sign for them until a new period begins.
  const early = await stage.pay(ada, first, 2, null);
  await stage.settle(deposit);
  // Signers who are replaced before the platform is told of them begin no period.
  const between = Wallet.generate();
  registerSecrets(between.seed);
  expect(await openUnderItsSigners(stage.ctx, deposit.address)).toEqual([]);
  await goOver(deposit.address, signersWith(between.address), [...keys().slice(0, 3), between]);
  await stage.settle(deposit);
  await rotateOne(deposit.address);
  await stage.pay(ada, first, 6);
  await stage.settle(deposit);
  await stage.pay(ada, first, 0.5, null);
  // Who sends with the tag of a sale that is over, ledger after ledger, delays nothing.
  await stage.pay(ada, first, 0.1);
  stage.desk.close();
  await takeIn(stage.ctx, {
    account: deposit.address,
    server: await stage.ctx.ledger.serverState(),
    deadlineMs: Number.POSITIVE_INFINITY,
    stillMine: async () => true,
  });
  expect(await unpaid(), 'what came after the new list waits for the new period').toHaveLength(1);
  const begun = (await put()).custody;
  const [owed] = await stage.database.db.select().from(payments).where(eq(payments.txHash, early));
  expect(begun?.from_ledger).toBe((owed?.ledgerIndex ?? 0) - 1);
  expect(begun).toMatchObject({ witnesses: [{}, {}, { account: joined.key, name: 'W9' }] });
  expect((await put()).custody, 'asked for again').toEqual(begun);
  expect(await getProject(stage.ctx, first.project.id)).toMatchObject({
    custody: { witnesses: [{}, {}, { account: world.witnesses[2].key }] },
    custody_through_ledger: begun?.from_ledger,
  });
  await expect(refundPayment(stage.ctx, { transactionHash: operating, reason: 'back' })).rejects.toThrow(
    'came before the account’s signers were replaced',
  );

  const faults = async () => {
    const failure: unknown = await stage.act(second, 'launch').catch((error: unknown) => error);
    return (failure as { errors: { field: string; message: string }[] }).errors.flatMap(({ field, message }) =>
      field === 'distributor' ? [message] : [],
    );
  };
  expect(await faults()).toContainEqual(expect.stringContaining('another signer list'));
  await rotateOne(issuer.address);
  expect((await put()).custody, 'the distributor’s signers began later').toEqual(begun);
  expect((await getProject(stage.ctx, second.project.id)).custody).toEqual(begun);
});

test('a second sale of the same accounts sells, pays and releases with a witness that stays and a new one; late money for the first goes back', async () => {
  const { stage, witnesses } = world;
  const [stays, away] = witnesses;
  expect(await world.approve(second, joined), 'what was before is unknown to it').toBe(1);
  for (const witness of [stays, joined, away]) {
    expect(await world.approve(second, witness, witness === joined)).toBe(0);
    await witness.running?.witness.readOn();
  }
  await stage.act(second, 'launch');
  await stage.settle(second.deposit);
  await away.kill();

  const before = await sentTo(stage, second, ada.address);
  await stage.pay(ada, second, 4);
  const late = await stage.pay(ada, second, 7, first.project.destination_tag);
  await untilPaid(second);
  const { db } = stage.database;
  const [ofNoSale] = await db.select().from(payments).where(eq(payments.txHash, late));
  expect(ofNoSale, 'its tag is unknown, as witnesses have it').toMatchObject({ projectId: null, outcome: 'refunded' });
  const after = await sentTo(stage, second, ada.address);
  // Of before the new period 8.6 XRP.
  expect([after.units - before.units, after.drops - before.drops]).toEqual([40n * TOKEN, (156n * XRP) / 10n]);
  await stage.act(second, 'end');
  await stage.settle(second.deposit);
  await releaseRaised(stage.ctx, { projectId: second.project.id, dryRun: false, reason: 'all of it' });
  await untilPaid(second);
  expect((await sentTo(stage, second, treasury.address)).drops).toBe(9n * XRP);
  await expectRecordsAgree(stage, second);
});

test('both sales verify, each as of its own signers', async () => {
  await world.stage.settle(second.deposit);
  const [one, other] = [await verified(first), await verified(second)];
  for (const report of [one, other]) {
    expect(report.differences).toEqual([]);
    expect(report).toMatchObject({ verdict: 'agrees', unchecked: [], custody: { faults: [] } });
  }
  const { custody, custody_through_ledger: through } = await getProject(world.stage.ctx, first.project.id);
  expect(one).toMatchObject({ as_of_ledger: through, checked: { from_ledger: (custody?.from_ledger ?? 0) + 1 } });
  expect(other.checked.from_ledger).toBeGreaterThan(through ?? 0);
  const signed = new Map(other.custody?.witnesses.map(({ account, signatures }) => [account, signatures]));
  for (const { key } of [world.witnesses[0], joined]) expect(signed.get(key)).toBeGreaterThan(4);
});

test('what looks the first sale up goes on to work: its quote, and a second reading of its ledgers', async () => {
  const { ctx } = world.stage;
  expect(await quoteAmount(ctx, { id: first.project.id, amount_xrp: XRP })).toMatchObject({
    accepted: false,
    refunded_xrp: '1.000000',
  });
  const { custody, custody_through_ledger: through } = await getProject(ctx, first.project.id);
  const [from_ledger, to_ledger] = [(custody?.from_ledger ?? 0) + 1, through ?? 0];
  const asked = { transaction_hashes: [], dry_run: true, account: first.deposit.address, from_ledger, to_ledger };
  const read = await processTransactions(ctx, { ...asked, reason: 'to be sure' } as never);
  // What people signed for the rotation was nobody's payment, and left its fee alone.
  expect(read).toMatchObject({ recorded: 0, differs: 0, transactions: [] });
});

test('no payment and no investment stays undecided', async () => {
  const { db } = world.stage.database;
  expect(await db.$count(payments, eq(payments.outcome, 'pending'))).toBe(0);
  expect(await db.select().from(investments).where(eq(investments.status, 'pending_confirmation'))).toEqual([]);
});
