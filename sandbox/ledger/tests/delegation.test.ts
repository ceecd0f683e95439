import { encode } from 'ripple-binary-codec';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { AccountSetAsfFlags, type DelegateSet, multisign, type Payment, type Wallet } from 'xrpl';
import { fundedWallets, pay, type Rig, settle, startRig, submitBlob, submitRaw } from './support.ts';

let rig: Rig;
let owner: Wallet;
let delegate: Wallet;
let shop: Wallet;
rig = await startRig({ profile: 'mainnet' });
beforeEach(async () => {
  [owner, delegate, shop] = (await fundedWallets(rig, 3)) as [Wallet, Wallet, Wallet];
});
afterAll(() => rig.stop());

function grant(...names: string[]): DelegateSet {
  return {
    TransactionType: 'DelegateSet',
    Account: owner.address,
    Authorize: delegate.address,
    Permissions: names.map((name) => ({ Permission: { PermissionValue: name } })) as DelegateSet['Permissions'],
  };
}

async function info(wallet: Wallet) {
  const { result } = await rig.client.request({ command: 'account_info', account: wallet.address });
  return result.account_data;
}

/** Submits in the owner's name, signed by the delegate. */
async function delegated(fields: Record<string, unknown>): Promise<string> {
  const { Sequence: sequence } = await info(owner);
  return submitRaw(rig, delegate, {
    ...fields,
    Account: owner.address,
    Delegate: delegate.address,
    Sequence: sequence,
  });
}

const payment = () => pay(owner.address, shop.address, '1000') as unknown as Record<string, unknown>;

test('a delegate pays in its principal’s name, who loses the amount; the fee is the delegate’s', async () => {
  await settle(rig, owner, grant('Payment'));
  const [before, own] = [await info(owner), await info(delegate)];
  expect(await delegated(payment())).toBe('tesSUCCESS');
  rig.ledger.accept();
  const [after, ownAfter] = [await info(owner), await info(delegate)];
  expect(BigInt(before.Balance) - BigInt(after.Balance)).toBe(1000n);
  expect(after.Sequence).toBe(before.Sequence + 1);
  expect(BigInt(own.Balance) - BigInt(ownAfter.Balance)).toBe(10n);
  expect(ownAfter.Sequence).toBe(own.Sequence);
});

test('a failure costs the delegate its fee and the principal a sequence', async () => {
  await settle(rig, owner, grant('Payment'));
  const [before, own] = [await info(owner), await info(delegate)];
  expect(await delegated({ ...payment(), Amount: '999999999999' })).toBe('tecUNFUNDED_PAYMENT');
  rig.ledger.accept();
  expect((await info(owner)).Balance).toBe(before.Balance);
  expect((await info(owner)).Sequence).toBe(before.Sequence + 1);
  expect(BigInt(own.Balance) - BigInt((await info(delegate)).Balance)).toBe(10n);
});

test('nobody acts for another without having been granted it, or with a wrong key', async () => {
  expect(await delegated(payment())).toBe('terNO_DELEGATE_PERMISSION');
  await settle(rig, owner, grant('TrustSet'));
  expect(await delegated(payment())).toBe('terNO_DELEGATE_PERMISSION');
  await settle(rig, owner, grant('Payment', 'TrustSet'));
  const { Sequence: sequence } = await info(owner);
  const stranger = { ...payment(), Account: owner.address, Delegate: delegate.address, Sequence: sequence };
  expect(await submitRaw(rig, shop, stranger)).toBe('tefBAD_AUTH');
  expect(await delegated(payment())).toBe('tesSUCCESS');
});

test('what could take an account over cannot be granted', async () => {
  for (const name of ['AccountSet', 'SetRegularKey', 'SignerListSet', 'AccountDelete', 'DelegateSet', 'Batch']) {
    expect(await submitRaw(rig, owner, grant(name) as never)).toBe('temMALFORMED');
  }
  expect(await submitRaw(rig, owner, grant('Payment', 'Payment') as never)).toBe('temMALFORMED');
  expect(await submitRaw(rig, owner, { ...grant('Payment'), Authorize: owner.address })).toBe('temMALFORMED');
  const nowhere = { ...grant('Payment'), Authorize: 'rrrrrrrrrrrrrrrrrrrrBZbvji' };
  expect(await submitRaw(rig, owner, nowhere)).toBe('tecNO_TARGET');
  expect(await submitRaw(rig, owner, grant() as never)).toBe('tecNO_ENTRY');
  expect(await delegated({ TransactionType: 'SetRegularKey' })).toBe('temINVALID');
  expect(await submitRaw(rig, owner, { ...payment(), Delegate: owner.address })).toBe('temBAD_SIGNER');
});

test('a grant costs a reserve, is replaced, stands with both accounts, and is taken back', async () => {
  await settle(rig, owner, grant('Payment'));
  await settle(rig, owner, grant('TrustSet', 'PaymentMint'));
  expect((await info(owner)).OwnerCount).toBe(1);
  expect((await info(delegate)).OwnerCount).toBe(0);
  const asked = { account: owner.address, authorize: delegate.address };
  const { result } = await rig.client.request({ command: 'ledger_entry', delegate: asked } as never);
  expect((result as { node: unknown }).node).toMatchObject({
    LedgerEntryType: 'Delegate',
    Permissions: [{ Permission: { PermissionValue: 'TrustSet' } }, { Permission: { PermissionValue: 'PaymentMint' } }],
  });
  for (const wallet of [owner, delegate]) {
    const request = { command: 'account_objects', account: wallet.address, type: 'delegate' };
    const { result: owned } = await rig.client.request(request as never);
    expect((owned as { account_objects: unknown[] }).account_objects).toHaveLength(1);
  }
  await settle(rig, owner, grant());
  expect((await info(owner)).OwnerCount).toBe(0);
  expect(await delegated(payment())).toBe('terNO_DELEGATE_PERMISSION');
});

describe('parts of a transaction type', () => {
  test('of AccountSet: one field, and no other', async () => {
    await settle(rig, owner, grant('AccountDomainSet'));
    expect(await delegated({ TransactionType: 'AccountSet', Domain: 'AB' })).toBe('tesSUCCESS');
    expect(await delegated({ TransactionType: 'AccountSet', Domain: 'AB', TickSize: 5 })).toBe(
      'terNO_DELEGATE_PERMISSION',
    );
    expect(await delegated({ TransactionType: 'AccountSet', SetFlag: AccountSetAsfFlags.asfRequireDest })).toBe(
      'terNO_DELEGATE_PERMISSION',
    );
  });

  test('of TrustSet: freezing a line that is there, with its limit as it is', async () => {
    const limit = (value: string) => ({ currency: 'USD', issuer: shop.address, value });
    await settle(rig, owner, { TransactionType: 'TrustSet', Account: owner.address, LimitAmount: limit('5') });
    await settle(rig, owner, grant('TrustlineFreeze'));
    const freeze = { TransactionType: 'TrustSet', Flags: 0x00100000 };
    expect(await delegated({ ...freeze, LimitAmount: limit('6') })).toBe('terNO_DELEGATE_PERMISSION');
    expect(await delegated({ ...freeze, Flags: 0x00200000, LimitAmount: limit('5') })).toBe(
      'terNO_DELEGATE_PERMISSION',
    );
    const elsewhere = { currency: 'EUR', issuer: shop.address, value: '0' };
    expect(await delegated({ ...freeze, LimitAmount: elsewhere })).toBe('terNO_DELEGATE_PERMISSION');
    expect(await delegated({ ...freeze, LimitAmount: limit('5') })).toBe('tesSUCCESS');
  });

  test('of Payment: issuing is not paying back', async () => {
    const amount = { currency: 'USD', issuer: owner.address, value: '3' };
    await settle(rig, shop, {
      TransactionType: 'TrustSet',
      Account: shop.address,
      LimitAmount: { ...amount, value: '100' },
    });
    await settle(rig, owner, grant('PaymentMint'));
    expect(await delegated(payment())).toBe('terNO_DELEGATE_PERMISSION');
    expect(await delegated({ ...payment(), Amount: amount })).toBe('tesSUCCESS');
    rig.ledger.accept();
    await settle(rig, owner, grant('PaymentBurn'));
    expect(await delegated({ ...payment(), Amount: amount })).toBe('terNO_DELEGATE_PERMISSION');
  });
});

test('a delegate may sign by its list, of which it is no member itself', async () => {
  await settle(rig, owner, grant('Payment'));
  await settle(rig, delegate, {
    TransactionType: 'SignerListSet',
    Account: delegate.address,
    SignerQuorum: 1,
    SignerEntries: [{ SignerEntry: { Account: shop.address, SignerWeight: 1 } }],
  });
  const { Sequence: sequence } = await info(owner);
  const fields = { ...payment(), Delegate: delegate.address, Fee: '20', Sequence: sequence } as unknown as Payment;
  const signed = (wallet: Wallet): string => multisign([wallet.sign(fields, true).tx_blob]);
  expect(await submitBlob(rig, signed(delegate))).toBe('fails local checks: Invalid multisigner.');
  expect(await submitBlob(rig, signed(owner))).toBe('tefBAD_SIGNATURE');
  expect(await submitBlob(rig, signed(shop))).toBe('tesSUCCESS');
});

test('a failure leaves AccountTxnID as it was, a success does not', async () => {
  await settle(rig, owner, { TransactionType: 'AccountSet', Account: owner.address, SetFlag: 5 });
  const { hash } = await settle(rig, owner, { TransactionType: 'AccountSet', Account: owner.address });
  expect((await info(owner)).AccountTxnID).toBe(hash);
  await settle(rig, owner, pay(owner.address, shop.address, '999999999999'));
  expect((await info(owner)).AccountTxnID).toBe(hash);
});

test('account_tx tells what a delegate sent, of the account and of the delegate, by pages', async () => {
  await settle(rig, owner, grant('Payment'));
  for (let i = 0; i < 3; i++) expect(await delegated(payment())).toBe('tesSUCCESS');
  rig.ledger.accept();
  type Page = { transactions: { tx_json: { TransactionType: string; Delegate?: string } }[]; marker?: unknown };
  const ask = async (wallet: Wallet, more: Record<string, unknown>): Promise<Page> => {
    const request = { command: 'account_tx', account: wallet.address, ...more };
    const { result } = (await rig.client.request(request as never)) as { result: Page };
    return result;
  };
  const actor = { delegate: { delegate_filter: 'actor', counter_party: delegate.address } };
  const { transactions } = await ask(owner, actor);
  expect(transactions.map(({ tx_json: tx }) => tx.Delegate)).toEqual(Array(3).fill(delegate.address));
  expect((await ask(delegate, { delegate: { delegate_filter: 'authorizer' } })).transactions).toHaveLength(3);
  expect((await ask(delegate, { delegate: { delegate_filter: 'actor' } })).transactions).toEqual([]);
  const first = await ask(owner, { ...actor, limit: 2 });
  expect((await ask(owner, { ...actor, limit: 2, marker: first.marker })).transactions).toHaveLength(1);
  await expect(ask(owner, { limit: 2, marker: first.marker })).rejects.toThrow('Do not mix delegate');
  await expect(ask(owner, { delegate: { delegate_filter: 'x' } })).rejects.toThrow("Invalid field 'delegate_filter'");
});

test('an impersonated account’s delegate still signs', async () => {
  await settle(rig, owner, grant('Payment'));
  rig.ledger.impersonate([owner.address]);
  const { Sequence: sequence } = await info(owner);
  const unsigned = { ...payment(), Delegate: delegate.address, Fee: '10', Sequence: sequence, SigningPubKey: '' };
  expect(await submitBlob(rig, encode(unsigned))).toBe('fails local checks: Empty SigningPubKey.');
  rig.ledger.impersonate([delegate.address]);
  expect(await submitBlob(rig, encode(unsigned))).toBe('tesSUCCESS');
  rig.ledger.impersonate([]);
});

test('without the amendment nobody delegates', async () => {
  const old = await startRig();
  const [sender] = (await fundedWallets(old, 1)) as [Wallet];
  const fields = { TransactionType: 'DelegateSet', Authorize: shop.address, Permissions: [] };
  expect(await submitRaw(old, sender, fields)).toBe('temDISABLED');
  await old.stop();
});
