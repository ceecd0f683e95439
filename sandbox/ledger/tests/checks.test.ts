import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CheckCash, CheckCreate, SubmittableTransaction, Wallet } from 'xrpl';
import { pay, type Rig, send, settle, startRig, threeWallets } from './support.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.stop());

async function write(
  owner: Wallet,
  receiver: Wallet,
  sendMax: CheckCreate['SendMax'],
  more: Partial<CheckCreate> = {},
) {
  const { meta } = await settle(rig, owner, {
    TransactionType: 'CheckCreate',
    Account: owner.address,
    Destination: receiver.address,
    SendMax: sendMax,
    ...more,
  });
  for (const node of meta.AffectedNodes) {
    if ('CreatedNode' in node && node.CreatedNode.LedgerEntryType === 'Check') return node.CreatedNode.LedgerIndex;
  }
  throw new Error(`no check was created: ${meta.TransactionResult}`);
}

const cash = (casher: Wallet, check: string, what: Pick<CheckCash, 'Amount' | 'DeliverMin'>): CheckCash => ({
  TransactionType: 'CheckCash',
  Account: casher.address,
  CheckID: check,
  ...what,
});
const cancel = (sender: Wallet, check: string): SubmittableTransaction => ({
  TransactionType: 'CheckCancel',
  Account: sender.address,
  CheckID: check,
});
const usd = (issuer: Wallet, value: string) => ({ currency: 'USD', issuer: issuer.address, value });
const trust = (holder: Wallet, issuer: Wallet, limit: string, flags = 0): SubmittableTransaction => ({
  TransactionType: 'TrustSet',
  Account: holder.address,
  LimitAmount: { currency: 'USD', issuer: issuer.address, value: limit },
  Flags: flags,
});
const setFlag = (wallet: Wallet, flag: number): SubmittableTransaction => ({
  TransactionType: 'AccountSet',
  Account: wallet.address,
  SetFlag: flag,
});

async function rootOf({ address }: Wallet) {
  return (await rig.client.request({ command: 'account_info', account: address })).result.account_data;
}
async function linesOf({ address }: Wallet) {
  return (await rig.client.request({ command: 'account_lines', account: address })).result.lines;
}

/** An issuer, and an owner that holds its currency and has a casher without a line. */
async function issuerOwnerCasher(): Promise<[Wallet, Wallet, Wallet]> {
  const [issuer, owner, casher] = await threeWallets(rig);
  await settle(rig, issuer, setFlag(issuer, 8));
  await settle(rig, owner, trust(owner, issuer, '1000'));
  await settle(rig, issuer, pay(issuer.address, owner.address, usd(issuer, '100')));
  return [issuer, owner, casher];
}

test('an XRP check pays exactly what is asked for, and says so in delivered_amount', async () => {
  const [owner, casher] = await threeWallets(rig);
  const check = await write(owner, casher, '5000000');
  const before = BigInt((await rootOf(casher)).Balance);
  const { meta } = await settle(rig, casher, cash(casher, check, { Amount: '3000000' }));
  expect(meta.delivered_amount).toBe('3000000');
  expect(BigInt((await rootOf(casher)).Balance) - before).toBe(3_000_000n - 12n);
  expect((await rootOf(owner)).OwnerCount).toBe(0);
  expect((await send(rig, casher, cash(casher, check, { Amount: '1' }))).result).toBe('tecNO_ENTRY');
});

test('DeliverMin takes all the owner can spare, the reserve of the check itself included', async () => {
  const [owner, casher] = await threeWallets(rig);
  const check = await write(owner, casher, '5000000000');
  const { meta } = await settle(rig, casher, cash(casher, check, { DeliverMin: '1' }));
  expect(meta.delivered_amount).toBe(String(1_000_000_000n - 12n - 1_000_000n));
  expect((await rootOf(owner)).Balance).toBe('1000000');
});

test('cashing issued money makes the casher a line with limit 0, which counts among what it owns', async () => {
  const [issuer, owner, casher] = await issuerOwnerCasher();
  const check = await write(owner, casher, usd(issuer, '50'));
  const { meta } = await settle(rig, casher, cash(casher, check, { Amount: usd(issuer, '40') }));
  expect(meta.delivered_amount).toEqual(usd(issuer, '40'));
  expect(await linesOf(casher)).toMatchObject([{ balance: '40', limit: '0', no_ripple: true }]);
  expect((await rootOf(casher)).OwnerCount).toBe(1);
});

test('a casher may take more than the limit of its line, which stands as before', async () => {
  const [issuer, owner, casher] = await issuerOwnerCasher();
  await settle(rig, casher, trust(casher, issuer, '10'));
  const check = await write(owner, casher, usd(issuer, '50'));
  await settle(rig, casher, cash(casher, check, { Amount: usd(issuer, '50') }));
  expect(await linesOf(casher)).toMatchObject([{ balance: '50', limit: '10' }]);
});

test('a transfer fee comes out of SendMax', async () => {
  const [issuer, owner, casher] = await issuerOwnerCasher();
  await settle(rig, issuer, { TransactionType: 'AccountSet', Account: issuer.address, TransferRate: 1_250_000_000 });
  const check = await write(owner, casher, usd(issuer, '50'));
  expect((await send(rig, casher, cash(casher, check, { Amount: usd(issuer, '41') }))).result).toBe('tecPATH_PARTIAL');
  rig.ledger.accept();
  const { meta } = await settle(rig, casher, cash(casher, check, { DeliverMin: usd(issuer, '1') }));
  expect(meta.delivered_amount).toEqual(usd(issuer, '40'));
  expect(await linesOf(owner)).toMatchObject([{ balance: '50' }]);
});

test('frozen money cannot be written, nor cashed by owner or casher', async () => {
  const [issuer, owner, casher] = await issuerOwnerCasher();
  const check = await write(owner, casher, usd(issuer, '50'));
  const attempt = async () => (await send(rig, casher, cash(casher, check, { Amount: usd(issuer, '1') }))).result;
  await settle(rig, issuer, trust(issuer, owner, '0', 0x00100000));
  expect(await attempt()).toBe('tecPATH_PARTIAL');
  const again: SubmittableTransaction = {
    TransactionType: 'CheckCreate',
    Account: owner.address,
    Destination: casher.address,
    SendMax: usd(issuer, '1'),
  };
  expect((await send(rig, owner, again)).result).toBe('tecFROZEN');
  rig.ledger.accept();
  await settle(rig, issuer, trust(issuer, owner, '0', 0x00200000));
  await settle(rig, casher, trust(casher, issuer, '10'));
  await settle(rig, issuer, trust(issuer, casher, '0', 0x00100000));
  expect(await attempt()).toBe('tecFROZEN');
});

test('an issuer that authorizes its holders lets nobody else cash its currency', async () => {
  const [issuer, owner, casher] = await threeWallets(rig);
  await settle(rig, issuer, setFlag(issuer, 2));
  await settle(rig, owner, trust(owner, issuer, '1000'));
  await settle(rig, issuer, trust(issuer, owner, '0', 0x00010000));
  await settle(rig, issuer, pay(issuer.address, owner.address, usd(issuer, '100')));
  const check = await write(owner, casher, usd(issuer, '50'));
  const attempt = async () => (await send(rig, casher, cash(casher, check, { Amount: usd(issuer, '1') }))).result;
  expect(await attempt()).toBe('tecNO_AUTH');
  rig.ledger.accept();
  await settle(rig, casher, trust(casher, issuer, '10'));
  expect(await attempt()).toBe('tecNO_AUTH');
});

test('an issuer cashes its own currency, which then ceases to exist', async () => {
  const [issuer, owner] = await issuerOwnerCasher();
  const check = await write(owner, issuer, usd(issuer, '50'));
  await settle(rig, issuer, cash(issuer, check, { Amount: usd(issuer, '30') }));
  expect(await linesOf(owner)).toMatchObject([{ balance: '70' }]);
});

test('an expired check is not cashed, and anybody may clear it away', async () => {
  const [owner, casher, anybody] = await threeWallets(rig);
  const { result } = await rig.client.request({ command: 'ledger', ledger_index: 'validated' });
  const check = await write(owner, casher, '1000', { Expiration: result.ledger.close_time + 15 });
  expect((await send(rig, anybody, cancel(anybody, check))).result).toBe('tecNO_PERMISSION');
  for (let i = 0; i < 20; i++) rig.ledger.accept();
  expect((await send(rig, casher, cash(casher, check, { Amount: '1000' }))).result).toBe('tecEXPIRED');
  rig.ledger.accept();
  const { meta } = await settle(rig, anybody, cancel(anybody, check));
  expect(meta.TransactionResult).toBe('tesSUCCESS');
  expect((await rootOf(owner)).OwnerCount).toBe(0);
});

test('a receiver refuses checks by DisallowIncomingCheck, and untagged ones by RequireDest', async () => {
  const [owner, casher] = await threeWallets(rig);
  const check: CheckCreate = {
    TransactionType: 'CheckCreate',
    Account: owner.address,
    Destination: casher.address,
    SendMax: '1000',
  };
  await settle(rig, casher, setFlag(casher, 1));
  expect((await send(rig, owner, check)).result).toBe('tecDST_TAG_NEEDED');
  await settle(rig, casher, setFlag(casher, 13));
  expect((await send(rig, owner, { ...check, DestinationTag: 1 })).result).toBe('tecNO_PERMISSION');
});
