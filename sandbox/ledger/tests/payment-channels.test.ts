import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PaymentChannelClaim, type PaymentChannelCreate, signPaymentChannelClaim, Wallet } from 'xrpl';
import { fundedWallets, type Rig, send, settle, startRig, threeWallets } from './support.ts';

const TF_RENEW = 0x00010000;
const TF_CLOSE = 0x00020000;

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.stop());

/** Closes ledgers until that many seconds have passed on the ledger's clock; each takes at least one. */
function passSeconds(seconds: number): void {
  for (let i = 0; i <= seconds; i++) rig.ledger.accept();
}

async function open(owner: Wallet, receiver: Wallet, more: Partial<PaymentChannelCreate> = {}): Promise<string> {
  const { meta } = await settle(rig, owner, {
    TransactionType: 'PaymentChannelCreate',
    Account: owner.address,
    Destination: receiver.address,
    Amount: '5000000',
    SettleDelay: 20,
    PublicKey: owner.publicKey,
    ...more,
  });
  for (const node of meta.AffectedNodes) {
    if ('CreatedNode' in node && node.CreatedNode.LedgerEntryType === 'PayChannel') return node.CreatedNode.LedgerIndex;
  }
  throw new Error('no channel was created');
}

const claim = (sender: Wallet, channel: string, more: Partial<PaymentChannelClaim> = {}): PaymentChannelClaim => ({
  TransactionType: 'PaymentChannelClaim',
  Account: sender.address,
  Channel: channel,
  ...more,
});

/** A claim of that total, as its receiver sends it. */
function signedClaim(receiver: Wallet, owner: Wallet, channel: string, xrp: number): PaymentChannelClaim {
  const drops = String(xrp * 1_000_000);
  return claim(receiver, channel, {
    Amount: drops,
    Balance: drops,
    PublicKey: owner.publicKey,
    Signature: signPaymentChannelClaim(channel, String(xrp), owner.privateKey),
  });
}

async function balanceOf({ address }: Wallet): Promise<bigint> {
  const { result } = await rig.client.request({ command: 'account_info', account: address });
  return BigInt(result.account_data.Balance);
}

const channelsOf = async (owner: Wallet, more: object = {}) =>
  (await rig.client.request({ command: 'account_channels', account: owner.address, ...more })).result;

test('a receiver is paid what signed claims add up to, whichever key type signed, and closing returns the rest', async () => {
  const [receiver] = await threeWallets(rig);
  const secp = Wallet.generate('ecdsa-secp256k1' as never);
  const [ed] = await threeWallets(rig);
  await settle(rig, rig.genesis, {
    TransactionType: 'Payment',
    Account: rig.genesis.address,
    Destination: secp.address,
    Amount: '100000000',
  });
  for (const owner of [ed, secp]) {
    const channel = await open(owner, receiver);
    const before = await balanceOf(receiver);
    await settle(rig, receiver, signedClaim(receiver, owner, channel, 1));
    await settle(rig, receiver, signedClaim(receiver, owner, channel, 3));
    const fees = 24n;
    expect((await balanceOf(receiver)) - before).toBe(3_000_000n - fees);
    expect((await send(rig, receiver, signedClaim(receiver, owner, channel, 2))).result).toBe('tecUNFUNDED_PAYMENT');
    const spare = await balanceOf(owner);
    await settle(rig, receiver, claim(receiver, channel, { Flags: TF_CLOSE }));
    expect((await balanceOf(owner)) - spare).toBe(2_000_000n);
    expect((await channelsOf(owner)).channels).toEqual([]);
  }
});

test('a claim that the channel’s key did not sign pays nothing', async () => {
  const [owner, receiver, other] = await threeWallets(rig);
  const channel = await open(owner, receiver);
  expect((await send(rig, receiver, signedClaim(receiver, other, channel, 1))).result).toBe('tecNO_PERMISSION');
  const forged = { ...signedClaim(receiver, owner, channel, 1), Amount: '2000000' };
  expect((await send(rig, receiver, forged)).result).toBe('temBAD_SIGNATURE');
  const unsigned = claim(receiver, channel, { Balance: '1000000' });
  expect((await send(rig, receiver, unsigned)).result).toBe('tecNO_PERMISSION');
});

test('an owner that asks to close waits out the settle delay, may take it back, and then anybody closes', async () => {
  const [owner, receiver, anybody] = await threeWallets(rig);
  const channel = await open(owner, receiver);
  await settle(rig, owner, claim(owner, channel, { Flags: TF_CLOSE }));
  expect((await channelsOf(owner)).channels[0]).toHaveProperty('expiration');
  expect((await send(rig, receiver, claim(receiver, channel, { Flags: TF_RENEW }))).result).toBe('tecNO_PERMISSION');
  await settle(rig, owner, claim(owner, channel, { Flags: TF_RENEW }));
  expect((await channelsOf(owner)).channels[0]).not.toHaveProperty('expiration');
  await settle(rig, owner, claim(owner, channel, { Flags: TF_CLOSE }));
  expect((await send(rig, anybody, claim(anybody, channel, { Flags: TF_CLOSE }))).result).toBe('tecNO_PERMISSION');
  passSeconds(25);
  await settle(rig, anybody, claim(anybody, channel));
  expect((await channelsOf(owner)).channels).toEqual([]);
});

test('a channel whose CancelAfter has passed pays no claim: whoever touches it closes it', async () => {
  const [owner, receiver] = await threeWallets(rig);
  const { result } = await rig.client.request({ command: 'ledger', ledger_index: 'validated' });
  const channel = await open(owner, receiver, { CancelAfter: result.ledger.close_time + 15 });
  passSeconds(20);
  const before = await balanceOf(receiver);
  await settle(rig, receiver, signedClaim(receiver, owner, channel, 1));
  expect((await balanceOf(receiver)) - before).toBe(-12n);
  expect((await channelsOf(owner)).channels).toEqual([]);
});

test('a receiver under deposit authorization is paid by its own claim, and by the owner’s only once preauthorised', async () => {
  const [owner, receiver] = await threeWallets(rig);
  const channel = await open(owner, receiver);
  await settle(rig, receiver, { TransactionType: 'AccountSet', Account: receiver.address, SetFlag: 9 });
  await settle(rig, receiver, signedClaim(receiver, owner, channel, 1));
  const byOwner = claim(owner, channel, { Balance: '2000000' });
  expect((await send(rig, owner, byOwner)).result).toBe('tecNO_PERMISSION');
  rig.ledger.accept();
  await settle(rig, receiver, {
    TransactionType: 'DepositPreauth',
    Account: receiver.address,
    Authorize: owner.address,
  });
  const { meta } = await settle(rig, owner, byOwner);
  expect(meta.TransactionResult).toBe('tesSUCCESS');
});

test('account_channels shows those of one receiver, page by page', async () => {
  const [owner, first, second] = await threeWallets(rig);
  for (const receiver of [first, second, first]) await open(owner, receiver);
  await settle(rig, owner, { TransactionType: 'TicketCreate', Account: owner.address, TicketCount: 2 });
  expect((await channelsOf(owner)).channels).toHaveLength(3);
  expect((await channelsOf(owner, { destination_account: first.address })).channels).toHaveLength(2);
  const seen = new Set<string>();
  let marker: unknown;
  do {
    const page = await channelsOf(owner, { limit: 2, ...(marker === undefined ? {} : { marker }) });
    for (const { channel_id } of page.channels) seen.add(channel_id);
    marker = page.marker;
  } while (marker !== undefined);
  expect(seen.size).toBe(3);
  expect((await channelsOf(first)).channels).toEqual([]);
});

test('channel_authorize signs what channel_verify and a claim accept', async () => {
  const [receiver] = await fundedWallets(rig, 1);
  const owner = rig.genesis;
  if (!receiver) throw new Error('a wallet was asked for');
  const channel = await open(owner, receiver);
  const signed = await rig.client.request({
    command: 'channel_authorize',
    channel_id: channel,
    amount: '1000000',
    secret: owner.seed ?? '',
  } as never);
  const { signature } = (signed as { result: { signature: string } }).result;
  const verify = async (amount: string) =>
    (
      await rig.client.request({
        command: 'channel_verify',
        channel_id: channel,
        amount,
        public_key: owner.publicKey,
        signature,
      })
    ).result.signature_verified;
  expect(await verify('1000000')).toBe(true);
  expect(await verify('1000001')).toBe(false);
  const paid = claim(receiver, channel, { Balance: '1000000', PublicKey: owner.publicKey, Signature: signature });
  expect((await send(rig, receiver, paid)).result).toBe('tesSUCCESS');
});
