import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Wallet } from 'xrpl';
import { fundedWallets, type Rig, settle, startRig, submitRaw } from './support.ts';

const NO_HASH = '0'.repeat(64);

let rig: Rig;
let sender: Wallet;
beforeEach(async () => {
  rig = await startRig();
  [sender] = (await fundedWallets(rig, 1)) as [Wallet];
});
afterEach(() => rig.stop());

const settings = (AccountTxnID: string) => submitRaw(rig, sender, { TransactionType: 'AccountSet', AccountTxnID });

test('an account that keeps no last transaction has that of zeros, and no other', async () => {
  expect(await settings('A'.repeat(64))).toBe('tefWRONG_PRIOR');
  expect(await settings(NO_HASH)).toBe('tesSUCCESS');
});

test('an account that keeps its last transaction can be told to go on from that one only', async () => {
  const { hash } = await settle(rig, sender, { TransactionType: 'AccountSet', Account: sender.address, SetFlag: 5 });
  expect(await settings(hash)).toBe('tefWRONG_PRIOR');
  expect(await settings(NO_HASH)).toBe('tesSUCCESS');
  expect(await settings(NO_HASH)).toBe('tefWRONG_PRIOR');
});
