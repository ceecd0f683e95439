import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MPTokenIssuanceCreate, SubmittableTransaction, Wallet } from 'xrpl';
import { withoutTransferFee, withTransferFee } from '../engine/mptBalances.ts';
import { pay, type Rig, send, settle, startRig, threeWallets } from './support.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.stop());

const CAN = { lock: 0x02, requireAuth: 0x04, transfer: 0x20 };
const LOCK = 1;
const PARTIAL = 0x00020000;

/** A new token of the issuer, and its amounts. */
async function issue(issuer: Wallet, more: Partial<MPTokenIssuanceCreate>) {
  const { meta } = await settle(rig, issuer, {
    TransactionType: 'MPTokenIssuanceCreate',
    Account: issuer.address,
    ...more,
  });
  const id = 'mpt_issuance_id' in meta ? String(meta.mpt_issuance_id) : '';
  return { id, of: (value: string) => ({ mpt_issuance_id: id, value }) };
}

const authorize = (holder: Wallet, id: string, more: object = {}) =>
  ({ TransactionType: 'MPTokenAuthorize', Account: holder.address, MPTokenIssuanceID: id, ...more }) as const;
const issuanceSet = (issuer: Wallet, id: string, more: object) =>
  ({ TransactionType: 'MPTokenIssuanceSet', Account: issuer.address, MPTokenIssuanceID: id, ...more }) as const;

test('a holder whose token is locked cannot give it up, even when nothing is left on it', async () => {
  const [issuer, holder] = await threeWallets(rig);
  const { id } = await issue(issuer, { Flags: CAN.lock });
  await settle(rig, holder, authorize(holder, id));
  await settle(rig, issuer, issuanceSet(issuer, id, { Holder: holder.address, Flags: LOCK }));
  const { meta } = await settle(rig, holder, authorize(holder, id, { Flags: 1 }));
  expect(meta.TransactionResult).toBe('tecNO_PERMISSION');
});

test('an issuance that cannot be locked still takes a change that locks nothing', async () => {
  const [issuer] = await threeWallets(rig);
  const { id } = await issue(issuer, { Flags: CAN.requireAuth });
  const locked = await settle(rig, issuer, issuanceSet(issuer, id, { Flags: LOCK }));
  expect(locked.meta.TransactionResult).toBe('tecNO_PERMISSION');
  // tfFullyCanonicalSig alone changes nothing, and is no missing change either.
  const nothing = await settle(rig, issuer, issuanceSet(issuer, id, { Flags: 0x80000000 }));
  expect(nothing.meta.TransactionResult).toBe('tesSUCCESS');
});

test('a domain is for tokens that need authorization only, and has to exist', async () => {
  const [issuer] = await threeWallets(rig);
  const domain = 'AB'.repeat(32);
  const create = { TransactionType: 'MPTokenIssuanceCreate', Account: issuer.address } as const;
  // Simulated, because the client library refuses to sign these.
  const result = async (tx_json: SubmittableTransaction) =>
    (await rig.client.request({ command: 'simulate', tx_json })).result.engine_result;
  expect(await result({ ...create, DomainID: domain })).toBe('temMALFORMED');
  expect(await result({ ...create, DomainID: '0'.repeat(64), Flags: CAN.requireAuth })).toBe('temMALFORMED');
  const open = await issue(issuer, {});
  const closed = await issue(issuer, { Flags: CAN.requireAuth });
  expect(await result(issuanceSet(issuer, open.id, { DomainID: domain }))).toBe('tecNO_PERMISSION');
  expect(await result(issuanceSet(issuer, closed.id, { DomainID: domain }))).toBe('tecOBJECT_NOT_FOUND');
  expect(await result(issuanceSet(issuer, closed.id, { DomainID: '0'.repeat(64) }))).toBe('tesSUCCESS');
});

test('what only a later amendment lets an issuer change is refused', async () => {
  const [issuer] = await threeWallets(rig);
  const { id } = await issue(issuer, { Flags: CAN.transfer });
  const result = async (tx_json: object) =>
    (await rig.client.request({ command: 'simulate', tx_json: tx_json as SubmittableTransaction })).result
      .engine_result;
  const create = { TransactionType: 'MPTokenIssuanceCreate', Account: issuer.address, ImmutableFlags: 2 };
  expect(await result(create)).toBe('temDISABLED');
  for (const change of [{ TransferFee: 1 }, { MPTokenMetadata: 'AB' }, { ImmutableFlags: 1 }]) {
    expect(await result(issuanceSet(issuer, id, change))).toBe('temDISABLED');
  }
});

test('without vaults there are no tokens of domains, and a locked holder may leave', async () => {
  const early = await startRig({ profile: 'mainnet' });
  const [issuer, holder] = await threeWallets(early);
  const { meta } = await settle(early, issuer, {
    TransactionType: 'MPTokenIssuanceCreate',
    Account: issuer.address,
    Flags: CAN.lock | CAN.requireAuth,
  });
  const id = 'mpt_issuance_id' in meta ? String(meta.mpt_issuance_id) : '';
  const domain = { ...issuanceSet(issuer, id, { DomainID: 'AB'.repeat(32) }) };
  const simulated = await early.client.request({ command: 'simulate', tx_json: domain });
  expect(simulated.result.engine_result).toBe('temDISABLED');
  await settle(early, holder, authorize(holder, id));
  await settle(early, issuer, issuanceSet(issuer, id, { Holder: holder.address, Flags: LOCK }));
  const left = await settle(early, holder, authorize(holder, id, { Flags: 1 }));
  expect(left.meta.TransactionResult).toBe('tesSUCCESS');
  await early.stop();
});

test('a payment in tokens takes no paths, no exchange and no flag but that for a partial one', async () => {
  const [issuer, alice, bob] = await threeWallets(rig);
  const { of } = await issue(issuer, { Flags: CAN.transfer });
  const result = async (more: object) =>
    (await send(rig, alice, pay(alice.address, bob.address, of('1'), more))).result;
  expect(await result({ Flags: 0x00010000 })).toBe('temINVALID_FLAG');
  expect(await result({ Flags: 0x00040000 })).toBe('temINVALID_FLAG');
  expect(await result({ Paths: [[{ account: issuer.address }]] })).toBe('temMALFORMED');
  expect(await result({ SendMax: '10' })).toBe('temMALFORMED');
  const forXrp = pay(alice.address, bob.address, '1', { SendMax: of('1') });
  expect((await send(rig, alice, forXrp)).result).toBe('temMALFORMED');
});

describe('the transfer fee', () => {
  test('of a partial payment is what the delivered amount costs, not what was offered', async () => {
    const [issuer, alice, bob] = await threeWallets(rig);
    const { id, of } = await issue(issuer, { Flags: CAN.transfer, TransferFee: 50_000 });
    for (const holder of [alice, bob]) await settle(rig, holder, authorize(holder, id));
    await settle(rig, issuer, pay(issuer.address, alice.address, of('10')));
    const partial = pay(alice.address, bob.address, of('9'), { SendMax: of('4'), Flags: PARTIAL });
    const { meta } = await settle(rig, alice, partial);
    expect(meta.delivered_amount).toEqual(of('3'));
    const { result } = await rig.client.request({ command: 'ledger_entry', mpt_issuance: id });
    // 3 delivered cost 4.5, rounded to the even 4.
    expect(result.node).toMatchObject({ OutstandingAmount: '9' });
  });

  test('rounds what is sent to the even unit and what is delivered upwards, at a half', () => {
    expect([1n, 3n, 5n].map((amount) => withTransferFee(amount, 50_000))).toEqual([2n, 4n, 8n]);
    expect([1n, 3n, 5n].map((amount) => withoutTransferFee(amount, 100_000))).toEqual([1n, 2n, 3n]);
    expect(withoutTransferFee(500n, 1000)).toBe(495n);
    expect(() => withoutTransferFee(2n ** 63n - 1n, 1)).toThrow(RangeError);
    expect(() => withTransferFee(2n ** 63n - 1n, 1)).toThrow(RangeError);
  });
});
