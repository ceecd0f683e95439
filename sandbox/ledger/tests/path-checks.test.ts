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
