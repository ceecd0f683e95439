import { decodeAccountID } from 'ripple-address-codec';
import { Client, ECDSA, type SubmittableTransaction, Wallet } from 'xrpl';
import { GENESIS_SEED } from '#sandbox/ledger/index.ts';
import { NETWORK_ID } from '#tests/integration/ledger/desk.ts';
import type { Draw } from './draw.ts';
import { HOLDER_MANNERS, type HolderManner } from './manners.ts';
import type { Servers } from './servers.ts';

export const CURRENCY = 'DMO';
export const DECIMALS = 6;
const FLAG = { requireDest: 1, defaultRipple: 8, depositAuth: 9 };
const SET_FREEZE = 0x0010_0000;
const CLEAR_FREEZE = 0x0020_0000;
const CAN_TRANSFER = 0x20;
/** An account must be that old before it can be deleted. */
const DELETABLE_AFTER_LEDGERS = 256;
const FEE_DROPS = '1000';
const DELETE_FEE_DROPS = '2000000';

export interface Holder {
  wallet: Wallet;
  manner: HolderManner;
  /** The round in which it changes its manner, if it does. */
  changesIn: number;
}

/** The accounts of one run on the ledger, and what they do by themselves. */
export interface Scene {
  client: Client;
  issuer: Wallet;
  distributor: Wallet;
  deposit: Wallet;
  issuanceId: string;
  holders: readonly [Holder, ...Holder[]];
  /** Transactions that the scene itself made: payments among them are no payouts. */
  own: ReadonlySet<string>;
  /** The ledger before the first payout. */
  startLedger: number;
  /** Lets every holder that changes its manner in this round do so. */
  changeManners(round: number): Promise<void>;
  /** Gives the payers what they lacked. */
  topUp(): Promise<void>;
  end(): Promise<void>;
}

type Fields = { TransactionType: string } & Record<string, unknown>;

export async function openScene(servers: Servers, draw: Draw, rounds: number): Promise<Scene> {
  const client = new Client(servers.clean.wsUrl);
  await client.connect();
  const own = new Set<string>();
  const send = async (wallet: Wallet, fields: Fields): Promise<void> => {
    const { result } = await client.request({
      command: 'account_info',
      account: wallet.address,
      ledger_index: 'current',
    });
    const { tx_blob: blob, hash } = wallet.sign({
      Fee: FEE_DROPS,
      ...fields,
      Account: wallet.address,
      Sequence: result.account_data.Sequence,
      NetworkID: NETWORK_ID,
    } as SubmittableTransaction);
    own.add(hash);
    const { engine_result: outcome } = (await client.request({ command: 'submit', tx_blob: blob })).result;
    if (outcome !== 'tesSUCCESS') throw new Error(`The scene's ${fields.TransactionType} got ${outcome}`);
  };

  const wallets = Array.from({ length: 3 + HOLDER_MANNERS.length }, () =>
    Wallet.fromEntropy(draw.bytes(16), { algorithm: ECDSA.ed25519 }),
  );
  const [issuer, distributor, deposit, ...others] = wallets as [Wallet, Wallet, Wallet, ...Wallet[]];
  const holders = others.map((wallet, index) => ({
    wallet,
    manner: HOLDER_MANNERS[index] ?? 'plain',
    changesIn: draw.between(1, rounds * 2),
  })) as [Holder, ...Holder[]];
  const poor = draw.chance(0.3);

  const genesis = Wallet.fromSeed(GENESIS_SEED);
  const fund = (to: Wallet, xrp: number) =>
    send(genesis, { TransactionType: 'Payment', Destination: to.address, Amount: String(xrp * 1_000_000) });
  await fund(issuer, 10_000);
  await fund(distributor, 10_000);
  await fund(deposit, poor ? 40 : 10_000);
  for (const { wallet } of holders) await fund(wallet, 1_000);
  servers.accept();

  const token = (value: string) => ({ currency: CURRENCY, issuer: issuer.address, value });
  const trust = (wallet: Wallet, value: string) =>
    send(wallet, { TransactionType: 'TrustSet', LimitAmount: token(value) });
  await send(issuer, { TransactionType: 'AccountSet', SetFlag: FLAG.defaultRipple });
  const { result } = await client.request({
    command: 'account_info',
    account: issuer.address,
    ledger_index: 'current',
  });
  const sequence = result.account_data.Sequence.toString(16).padStart(8, '0');
  const issuanceId = `${sequence}${Buffer.from(decodeAccountID(issuer.address)).toString('hex')}`.toUpperCase();
  await send(issuer, { TransactionType: 'MPTokenIssuanceCreate', AssetScale: DECIMALS, Flags: CAN_TRANSFER });
  servers.accept();

  const optIn = async (wallet: Wallet, limit = '100000000') => {
    await trust(wallet, limit);
    await send(wallet, { TransactionType: 'MPTokenAuthorize', MPTokenIssuanceID: issuanceId });
  };
  const freeze = (holder: Wallet, Flags: number) =>
    send(issuer, {
      TransactionType: 'TrustSet',
      Flags,
      LimitAmount: { currency: CURRENCY, issuer: holder.address, value: '0' },
    });
  const setFlag = (wallet: Wallet, SetFlag: number) => send(wallet, { TransactionType: 'AccountSet', SetFlag });
  await optIn(distributor);
  for (const { wallet, manner } of holders) {
    if (manner === 'tight') await optIn(wallet, '0.000001');
    else if (!['late', 'never', 'deleted'].includes(manner)) await optIn(wallet);
    if (manner === 'tagged') await setFlag(wallet, FLAG.requireDest);
    if (manner === 'guarded' || manner === 'preauthorised') await setFlag(wallet, FLAG.depositAuth);
    if (manner !== 'preauthorised') continue;
    for (const { address } of [issuer, distributor, deposit]) {
      await send(wallet, { TransactionType: 'DepositPreauth', Authorize: address });
    }
  }
  servers.accept();
  for (const { wallet, manner } of holders) if (manner === 'frozen') await freeze(wallet, SET_FREEZE);
  const stock = async (tokens: number) => {
    const to = { TransactionType: 'Payment', Destination: distributor.address };
    await send(issuer, { ...to, Amount: token(String(tokens)) });
    await send(issuer, { ...to, Amount: { mpt_issuance_id: issuanceId, value: String(tokens * 10 ** DECIMALS) } });
  };
  await stock(poor ? 50_000 : 10_000_000);
  servers.accept(DELETABLE_AFTER_LEDGERS);
  for (const { wallet, manner } of holders) {
    if (manner !== 'deleted') continue;
    await send(wallet, { TransactionType: 'AccountDelete', Destination: genesis.address, Fee: DELETE_FEE_DROPS });
  }
  const startLedger = servers.accept();

  return {
    client,
    issuer,
    distributor,
    deposit,
    issuanceId,
    holders,
    own,
    startLedger,
    async changeManners(round) {
      for (const { wallet, manner, changesIn } of holders) {
        if (manner === 'fickle' && round === changesIn) await setFlag(wallet, FLAG.requireDest);
        if (manner === 'fickle' && round === changesIn + 2) {
          await send(wallet, { TransactionType: 'AccountSet', ClearFlag: FLAG.requireDest });
        }
        if (round !== changesIn) continue;
        if (manner === 'late') await optIn(wallet);
        if (manner === 'tight') await trust(wallet, '100000000');
        if (manner === 'frozen') await freeze(wallet, CLEAR_FREEZE);
      }
    },
    async topUp() {
      if (!poor) return;
      await fund(deposit, 10_000);
      await stock(10_000_000);
    },
    end: () => client.disconnect(),
  };
}
