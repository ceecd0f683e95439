import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Payment, Wallet } from 'xrpl';
import { fundedWallets, pay, type Rig, send, settle, startRig } from './support.ts';

let rig: Rig;
let issuer: Wallet;
let other: Wallet;
let alice: Wallet;
let bob: Wallet;

const usd = (value: string, of: Wallet = issuer) => ({ currency: 'USD', issuer: of.address, value });
const paying = (more: Partial<Payment>) => send(rig, alice, pay(alice.address, bob.address, usd('1'), more));

beforeAll(async () => {
  rig = await startRig();
  const wallets = await fundedWallets(rig, 4);
  [issuer, other, alice, bob] = wallets as [Wallet, Wallet, Wallet, Wallet];
  for (const each of [issuer, other]) {
    await settle(rig, each, {
      TransactionType: 'AccountSet',
      Account: each.address,
      SetFlag: 8,
      TransferRate: 1_100_000_000,
    });
    for (const holder of [alice, bob]) {
      await settle(rig, holder, {
        TransactionType: 'TrustSet',
        Account: holder.address,
        LimitAmount: usd('1000', each),
      });
    }
    await settle(rig, each, pay(each.address, alice.address, usd('100', each)));
  }
});
afterAll(() => rig.stop());

describe('what a payment in a currency may say about its way', () => {
  test('money of one issuer does not pay what another issuer owes', async () => {
    expect((await paying({ SendMax: usd('2', other) })).result).toBe('tecPATH_DRY');
  });
  test('the sender as issuer of SendMax means any issuer', async () => {
    expect((await paying({ SendMax: usd('2', alice) })).result).toBe('tesSUCCESS');
  });
  test('more than six paths, or more than eight steps of one, are refused', async () => {
    const path = [{ account: issuer.address }];
    expect((await paying({ SendMax: usd('2'), Paths: Array(7).fill(path) })).result).toBe('telBAD_PATH_COUNT');
    expect((await paying({ SendMax: usd('2'), Paths: [Array(9).fill(path[0])] })).result).toBe('telBAD_PATH_COUNT');
  });
  test('without the direct way and without paths nothing can be paid', async () => {
    expect((await paying({ SendMax: usd('2'), Flags: 0x00010000 })).result).toBe('temRIPPLE_EMPTY');
  });
  test('a limit on quality holds: a fee that makes the price worse than SendMax to Amount pays nothing', async () => {
    const limited = { SendMax: usd('1'), Flags: 0x00060000 };
    expect((await paying(limited)).result).toBe('tecPATH_DRY');
    expect((await paying({ ...limited, SendMax: usd('1.1') })).result).toBe('tesSUCCESS');
  });
});

describe('an offer that replaces or cancels another', () => {
  test('names one that may exist already', async () => {
    const { result } = await rig.client.request({ command: 'account_info', account: alice.address });
    const next = result.account_data.Sequence;
    const cancel = await send(rig, alice, {
      TransactionType: 'OfferCancel',
      Account: alice.address,
      OfferSequence: next,
    });
    expect(cancel.result).toBe('temBAD_SEQUENCE');
    const replace = await send(rig, alice, {
      TransactionType: 'OfferCreate',
      Account: alice.address,
      OfferSequence: next + 5,
      TakerGets: '1000000',
      TakerPays: usd('1'),
    });
    expect(replace.result).toBe('temBAD_SEQUENCE');
  });
});

test('who froze its own currency everywhere gets no XRP by exchange, but may be paid it straight', async () => {
  const [holder, maker, frozen] = (await fundedWallets(rig, 3)) as [Wallet, Wallet, Wallet];
  for (const each of [holder, maker, frozen]) {
    await settle(rig, each, { TransactionType: 'TrustSet', Account: each.address, LimitAmount: usd('1000') });
  }
  for (const each of [holder, frozen]) await settle(rig, issuer, pay(issuer.address, each.address, usd('50')));
  const offer = { TransactionType: 'OfferCreate', Account: maker.address } as const;
  await settle(rig, maker, { ...offer, TakerGets: '10000000', TakerPays: usd('10') });
  const exchange = pay(holder.address, frozen.address, '1000000', { SendMax: usd('2') });
  const freeze = { TransactionType: 'AccountSet', Account: frozen.address } as const;

  await settle(rig, frozen, { ...freeze, SetFlag: 7 });
  expect((await send(rig, holder, exchange)).result).toBe('tecPATH_DRY');
  expect((await send(rig, holder, pay(holder.address, frozen.address, '1000000'))).result).toBe('tesSUCCESS');
  const sale = { ...offer, Account: frozen.address, TakerGets: usd('5'), TakerPays: '4000000' };
  const { meta } = await settle(rig, frozen, sale);
  expect(meta.AffectedNodes).toContainEqual({ CreatedNode: expect.objectContaining({ LedgerEntryType: 'Offer' }) });

  await settle(rig, frozen, { ...freeze, ClearFlag: 7 });
  expect((await send(rig, holder, exchange)).result).toBe('tesSUCCESS');
});
