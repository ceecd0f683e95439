import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findKey, halt, resume } from '@tranche/witness/commands.ts';
import { parseConfig, readKey } from '@tranche/witness/config.ts';
import { handlerOf } from '@tranche/witness/handle.ts';
import { startWitness } from '@tranche/witness/server.ts';
import { Witness } from '@tranche/witness/witness.ts';
import { ne, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Wallet } from 'xrpl';
import { payouts } from '#drizzle/schema/payouts.ts';
import {
  combineSignatures,
  pay,
  setUpCustody,
  signTransaction,
  submitTransaction,
  takeDown,
} from '#lib/custody/command.ts';
import { releaseRaised } from '#lib/payouts/release/release-raised.ts';
import { setCustody } from '#lib/sales/accounts/set-custody.ts';
import { getCustodyInForce } from '#lib/sales/projects/get-custody-in-force.ts';
import { beat, holders, payBeat, sentTo } from '#tests/integration/sales/cancelled-sales.ts';
import type { Sale } from '#tests/integration/sales/stage.ts';
import {
  type OperatedWitness,
  openWitnessedStage,
  terminal,
  type WitnessedStage,
} from '#tests/integration/sales/witnessed-stage.ts';
import { registerSecrets } from '#tests/support/secrets.ts';

// Each line of docs/custody.md, "When something is gone", is tried here or in tests/integration/sales/witnessed-sale.test.ts
// (one witness gone for good in the middle of a sale; two gone, and one back).

type Key = { address: string; seed?: string | undefined };

let world: WitnessedStage;
let sale: Sale;
let ada: Wallet;
const TOKEN = 1_000_000n;

beforeAll(async () => {
  world = await openWitnessedStage();
  sale = await world.draft({ tiers: [{ price_per_token: '0.10', total_tokens: '1000' }] });
  [ada] = (await holders(world.stage, sale, 1)) as [Wallet];
  await world.stage.act(sale, 'launch');
  await world.stage.settle(sale.deposit);
});
afterAll(() => world?.end());

const unpaid = () =>
  world.stage.database.db
    .select({ id: payouts.id, status: payouts.status, reason: payouts.reason })
    .from(payouts)
    .where(ne(payouts.status, 'validated'));
const tokens = async (): Promise<bigint> => (await sentTo(world.stage, sale, ada.address)).units;
const lookAgain = () =>
  world.stage.database.db.execute(
    sql`update ${payouts} set next_check_at = now() where status not in ('validated', 'cancelled')`,
  );

async function untilPaid(): Promise<void> {
  await lookAgain();
  for (let beats = 0; beats < 20; beats++) {
    await beat(world.stage, sale);
    if ((await unpaid()).length === 0) return;
  }
  throw new Error(`Not all is paid after 20 beats: ${JSON.stringify(await unpaid())}`);
}
async function owe(xrp: number): Promise<void> {
  await world.stage.pay(ada, sale, xrp);
  await world.stage.settle(sale.deposit);
  for (let beats = 0; beats < 2; beats++) await payBeat(world.stage, sale);
}
const ofWitness = ({ key, seed }: OperatedWitness): Key => ({ address: key, seed });

const written = (name: string, lines: readonly string[]): string => {
  const file = path.join(world.folder, name);
  writeFileSync(file, lines.join('\n'));
  return file;
};
const onLedger = () => ({ ledger: world.ledger, pollMs: 15 });

async function signEach(transaction: string, keys: readonly Key[]): Promise<string[]> {
  const files: string[] = [];
  for (const key of keys) {
    const signed = terminal();
    expect(await signTransaction({ transaction, keyFile: world.keyFile(key) }, signed)).toBe(0);
    files.push(written(`signed-${key.address}.json`, signed.lines));
  }
  return files;
}
/** Signs, combines and sends a transaction; gives its hash. */
async function byHand(transaction: string, keys: readonly Key[]): Promise<string> {
  const combined = terminal();
  expect(await combineSignatures({ ...onLedger(), files: await signEach(transaction, keys) }, combined)).toBe(0);
  const file = written('combined.json', combined.lines);
  const sent = terminal();
  expect(await world.whileClosing(() => submitTransaction({ ...onLedger(), transaction: file }, sent))).toBe(0);
  return sent.lines.at(-1) ?? '';
}

test('a witness moves to another machine with its key and its approvals alone', async () => {
  const [moved, other] = world.witnesses;
  await moved.kill();
  const folder = path.join(world.folder, 'another-machine');
  mkdirSync(folder);
  for (const name of ['witness.json', 'witness.key', 'approvals'])
    cpSync(path.join(moved.folder, name), path.join(folder, name), { recursive: true });
  const settings = parseConfig(JSON.parse(readFileSync(path.join(folder, 'witness.json'), 'utf8')));
  moved.running = await startWitness({ folder, key: findKey(folder), settings });
  await other.kill();
  await owe(1);
  await untilPaid();
  expect(await tokens()).toBe(10n * TOKEN);
  await other.start();
});

test('a witness that runs as a function says how it is as of now, though nothing reads between requests', async () => {
  const { folder, config, seed } = world.witnesses[1];
  const settings = parseConfig({ ...JSON.parse(readFileSync(config, 'utf8')), log: 'none' });
  const witness = new Witness(settings, readKey(seed), folder);
  const handle = handlerOf(witness);
  const { validatedIndex } = await world.stage.ctx.ledger.serverState();
  const answer = await handle(new Request('http://function/health'));
  expect(await answer.json()).toEqual({ status: 'ok', ledger_index: validatedIndex });
  await witness.stop();
});

test('with the platform’s key stolen, halted witnesses sign nothing, and go on when they are resumed', async () => {
  for (const { config } of world.witnesses.slice(1))
    halt({ config, reason: 'the platform’s key is stolen' }, terminal());
  await owe(1);
  expect(await unpaid()).toMatchObject([{ status: 'ready', reason: 'witness_refused' }]);
  await expect(world.stage.act(sale, 'cancel')).rejects.toThrow('witness');
  for (const { config } of world.witnesses.slice(1)) resume({ config }, terminal());
  await untilPaid();
  expect(await tokens()).toBe(20n * TOKEN);
});

test('what fees have burnt makes payouts wait until XRP is sent, and witnesses refuse until their operators allow more', async () => {
  const { stage, platform, witnesses } = world;
  const [first, second, third] = witnesses;
  const { address: Account } = sale.issuer;
  const { result } = await stage.desk.client.request({ command: 'account_info', account: Account });
  const { Balance, OwnerCount, Sequence } = result.account_data;
  const reserveDrops = 1_000_000 + 200_000 * OwnerCount;
  const burns = {
    TransactionType: 'AccountSet',
    Account,
    Fee: String(Number(Balance) - reserveDrops - 100_000),
    Sequence,
    LastLedgerSequence: (await stage.desk.client.getLedgerIndex()) + 50,
    NetworkID: 21_337,
    SigningPubKey: '',
  };
  const keys = [platform, ofWitness(first), ofWitness(second)];
  await byHand(written('burns.json', [JSON.stringify(burns)]), keys);
  await owe(1);
  expect(await unpaid()).toMatchObject([{ status: 'ready', reason: 'payer_underfunded' }]);
  const from = await stage.account();
  const gift = { Account: from.address, Destination: Account, Amount: '500000000' };
  await stage.desk.write([from, { TransactionType: 'Payment', ...gift }]);
  await lookAgain();
  for (let beats = 0; beats < 2; beats++) await payBeat(stage, sale);
  expect(await unpaid()).toMatchObject([{ status: 'ready', reason: 'witness_refused' }]);
  const { recent_refusals: refused } = second.running?.witness.status() ?? { recent_refusals: [] };
  expect(refused.map(({ reason }) => reason)).toContain('fee_limit_reached');
  for (const witness of [second, third]) {
    const settings = JSON.parse(readFileSync(witness.config, 'utf8'));
    const limits = { ...settings.limits, fees_a_day_xrp: { debts: '1', other: '2000' } };
    writeFileSync(witness.config, JSON.stringify({ ...settings, limits }));
    await witness.kill();
    await witness.start();
  }
  await untilPaid();
  expect(await tokens()).toBe(30n * TOKEN);
  expect(first.running).not.toBeNull();
});

test('while no witness runs, people pay one payout by hand with its ticket, and nobody pays it again', async () => {
  const { stage, served, platform, witnesses } = world;
  for (const witness of witnesses) await witness.kill();
  await owe(1);
  const [owed] = await unpaid();
  const ask = {
    ...onLedger(),
    baseUrl: served.url,
    project: sale.project.id,
    payout: owed?.id ?? '',
    signatures: 3,
    validFor: 2_700,
  };
  const keys = [platform, ofWitness(witnesses[0]), ofWitness(witnesses[2])];
  for (const said of ['There is no ticket for this payout yet', 'This pays it, and only once']) {
    const shown = terminal();
    expect(await pay(ask, shown)).toBe(0);
    expect(shown.text).toContain(said);
    await byHand(written('by-hand.json', shown.lines), keys);
  }
  expect(await tokens()).toBe(40n * TOKEN);
  await expect(pay(ask, terminal())).rejects.toThrow('It was paid by');

  for (const witness of witnesses) await witness.start();
  await lookAgain();
  for (let beats = 0; beats < 3; beats++) await beat(stage, sale);
  expect(await tokens()).toBe(40n * TOKEN);
  // It is found on the ledger, and settled by itself.
  expect(await unpaid()).toEqual([]);
  // Neither the platform nor a witness stumbles over it.
  await owe(1);
  await untilPaid();
  expect(await tokens()).toBe(50n * TOKEN);
});

test('with two witnesses’ keys gone for good, or the platform’s, no people can sign anything; a stolen key signs nothing either', async () => {
  const { platform, witnesses } = world;
  const draft = written('withdrawal.json', [
    JSON.stringify({
      TransactionType: 'Payment',
      Account: sale.deposit.address,
      Destination: ada.address,
      Amount: '1',
      Fee: '60',
      Sequence: (await world.stage.desk.client.request({ command: 'account_info', account: sale.deposit.address }))
        .result.account_data.Sequence,
      LastLedgerSequence: (await world.stage.desk.client.getLedgerIndex()) + 50,
      NetworkID: 21_337,
      SigningPubKey: '',
    }),
  ]);
  const [w0, w1, w2] = witnesses.map(ofWitness) as [Key, Key, Key];
  for (const keys of [[platform, w0], [w0, w1, w2], [platform], [w0]]) {
    const files = await signEach(draft, keys);
    await expect(combineSignatures({ ...onLedger(), files }, terminal())).rejects.toThrow('of 4: more must sign');
  }
});

test('signers stay while the sale runs; after it a lost key is replaced, and the account goes on under the new signers', async () => {
  const { stage, served, platform, witnesses, folder } = world;
  const next = Wallet.generate();
  registerSecrets(next.seed);
  const accounts = [sale.deposit.address, sale.issuer.address];
  // The lost key's owner cannot sign any more: the others and the new key do.
  const signers = [platform, ofWitness(witnesses[0]), ofWitness(witnesses[1]), next];
  const { quorum, platform: first, ledgers_to_live, witnesses: before } = world.set;
  const others = before.map((each, index) => (index === 2 ? { ...each, account: next.address, name: 'W9' } : each));
  const custody = { quorum, platform: first, witnesses: others, ledgers_to_live };
  const setFile = written('custody.next.json', [JSON.stringify(custody)]);
  const keyFile = signers.map(world.keyFile);
  const replacing = { ...onLedger(), accounts, custody: setFile, keyFile, folder, wait: 1, baseUrl: served.url };
  const refused = terminal();
  expect(await setUpCustody(replacing, refused)).toBe(1);
  expect(refused.text).toContain('is active: it must be over');
  expect(await getCustodyInForce(stage.ctx, sale.project.id)).toEqual([
    { role: 'deposit account', faults: [] },
    { role: 'distributor', faults: [] },
  ]);

  await stage.act(sale, 'end');
  await stage.settle(sale.deposit);
  await releaseRaised(stage.ctx, { projectId: sale.project.id, dryRun: false, reason: 'all of it' });
  await untilPaid();
  await stage.settle(sale.deposit);
  const told = terminal();
  expect(await world.whileClosing(() => setUpCustody(replacing, told)), told.text).toBe(0);
  const set = await setCustody(stage.ctx, { address: sale.deposit.address, custody, reason: 'rotated' });
  expect(set.custody).toMatchObject({ witnesses: [{}, {}, { account: next.address }] });
  stage.ctx.clock.advance(20_000);
  const shown = await getCustodyInForce(stage.ctx, sale.project.id);
  expect(shown?.map(({ faults }) => faults)).toEqual(
    accounts.map(() => [expect.stringContaining('another signer list')]),
  );
  await expect(getCustodyInForce(stage.cutOff, sale.project.id)).rejects.toMatchObject({ code: 'ledger_unavailable' });

  const down = {
    ...onLedger(),
    accounts,
    keyFile: [...keyFile, ...[sale.deposit, sale.issuer].map(world.keyFile)],
    folder,
    wait: 1,
    baseUrl: served.url,
  };
  expect(await world.whileClosing(() => takeDown(down, terminal()))).toBe(0);
  for (const account of [sale.deposit, sale.issuer]) {
    await stage.desk.send(account, { TransactionType: 'AccountSet', Account: account.address });
  }
});
