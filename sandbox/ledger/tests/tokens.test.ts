import { afterAll, beforeAll, expect, test } from 'vitest';
import { multisign, Wallet } from 'xrpl';
import { pay, type Rig, send, settle, startRig, threeWallets } from './support.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.stop());

test('an MPT is issued, transferred with its fee burned, and redeemed; holders must opt in', async () => {
  const [issuer, alice, bob] = await threeWallets(rig);
  const created = await settle(rig, issuer, {
    TransactionType: 'MPTokenIssuanceCreate',
    Account: issuer.address,
    AssetScale: 2,
    TransferFee: 1000,
    Flags: 0x20,
  });
  const id = 'mpt_issuance_id' in created.meta ? String(created.meta.mpt_issuance_id) : '';
  const token = (value: string) => ({ mpt_issuance_id: id, value });
  expect((await send(rig, issuer, pay(issuer.address, alice.address, token('1000')))).result).toBe('tecNO_AUTH');
  // Settles the refusal: in one ledger with the authorization, the payment could yet succeed.
  rig.ledger.accept();
  for (const holder of [alice, bob]) {
    await settle(rig, holder, { TransactionType: 'MPTokenAuthorize', Account: holder.address, MPTokenIssuanceID: id });
  }
  await settle(rig, issuer, pay(issuer.address, alice.address, token('1000')));
  const partial = pay(alice.address, bob.address, token('500'), { SendMax: token('500'), Flags: 0x00020000 });
  const { meta } = await settle(rig, alice, partial);
  expect(meta.delivered_amount).toEqual(token('495'));
  await settle(rig, bob, pay(bob.address, issuer.address, token('95')));
  const { result } = await rig.client.request({ command: 'ledger_entry', mpt_issuance: id });
  expect(result.node).toMatchObject({ OutstandingAmount: '900' });
});

test('a signer list can act for an account once enough of it signs', async () => {
  const [owner, to] = await threeWallets(rig);
  const signers = [Wallet.generate(), Wallet.generate()];
  await settle(rig, owner, {
    TransactionType: 'SignerListSet',
    Account: owner.address,
    SignerQuorum: 2,
    SignerEntries: signers.map(({ address }) => ({ SignerEntry: { Account: address, SignerWeight: 1 } })),
  });
  const filled = await rig.client.autofill(pay(owner.address, to.address, '5'), 2);
  const signed = signers.map((signer) => signer.sign(filled, true).tx_blob);
  const submit = async (blobs: string[]) =>
    (await rig.client.request({ command: 'submit', tx_blob: multisign(blobs) })).result.engine_result;
  expect(await submit(signed.slice(0, 1))).toBe('tefBAD_QUORUM');
  expect(await submit(signed)).toBe('tesSUCCESS');
});

test('a regular key signs for the account, and goes on doing so when the master key is disabled', async () => {
  const [owner, to] = await threeWallets(rig);
  const key = Wallet.generate();
  await settle(rig, owner, { TransactionType: 'SetRegularKey', Account: owner.address, RegularKey: key.address });
  await settle(rig, owner, { TransactionType: 'AccountSet', Account: owner.address, SetFlag: 4 });
  expect((await send(rig, owner, pay(owner.address, to.address, '1'))).result).toBe('tefMASTER_DISABLED');
  expect((await send(rig, key, pay(owner.address, to.address, '1'))).result).toBe('tesSUCCESS');
});

test('clawback takes back no more than the holder has', async () => {
  const [issuer, holder] = await threeWallets(rig);
  const usd = (value: string, issuerAddress = issuer.address) => ({ currency: 'USD', issuer: issuerAddress, value });
  await settle(rig, issuer, { TransactionType: 'AccountSet', Account: issuer.address, SetFlag: 16 });
  await settle(rig, holder, { TransactionType: 'TrustSet', Account: holder.address, LimitAmount: usd('100') });
  await settle(rig, issuer, pay(issuer.address, holder.address, usd('40')));
  await settle(rig, issuer, {
    TransactionType: 'Clawback',
    Account: issuer.address,
    Amount: usd('99', holder.address),
  });
  const { result } = await rig.client.request({ command: 'account_lines', account: holder.address });
  expect(result.lines[0]?.balance).toBe('0');
});

test('simulate tells the outcome and changes nothing', async () => {
  const [from, to] = await threeWallets(rig);
  const { result } = await rig.client.request({
    command: 'simulate',
    tx_json: pay(from.address, to.address, '1000000'),
  });
  expect(result).toMatchObject({ applied: false, engine_result: 'tesSUCCESS' });
  const after = await rig.client.request({ command: 'account_info', account: to.address, ledger_index: 'current' });
  expect(after.result.account_data.Balance).toBe('1000000000');
});
