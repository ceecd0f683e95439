import type { Client, SubmittableTransaction, Wallet } from 'xrpl';
import { NETWORK_ID } from '#tests/integration/xrpl/desk.ts';

/** The token of the campaign's sales, as issued currency and as MPT alike. */
export const CURRENCY = 'DMO';
export const DECIMALS = 6;

export type Fields = { TransactionType: string } & Record<string, unknown>;
export type Send = (wallet: Wallet, fields: Fields) => Promise<void>;

const FEE_DROPS = '1000';

/** Signs for a wallet with its next sequence, and submits by the server without faults. Gives the hash and the preliminary result. */
export const submitBy =
  (client: Client) =>
  async (wallet: Wallet, fields: Fields): Promise<{ hash: string; result: string }> => {
    const { address } = wallet;
    const { result: found } = await client.request({
      command: 'account_info',
      account: address,
      ledger_index: 'current',
    });
    const { tx_blob: blob, hash } = wallet.sign({
      Fee: FEE_DROPS,
      Sequence: found.account_data.Sequence,
      ...fields,
      Account: address,
      NetworkID: NETWORK_ID,
    } as SubmittableTransaction);
    const { result } = await client.request({ command: 'submit', tx_blob: blob });
    return { hash, result: result.engine_result };
  };

const FLAG = { requireDest: 1, requireAuth: 2, globalFreeze: 7, defaultRipple: 8, depositAuth: 9, allowLocking: 17 };
const LINE = { authorise: 0x0001_0000, freeze: 0x0010_0000, unfreeze: 0x0020_0000 };
const ISSUANCE = { lock: 1, unlock: 2 };

/** What issuers and holders do on the ledger, in the words of the campaign. */
export function actsOf(send: Send, issuer: Wallet, issuanceId: string) {
  const line = (holder: Wallet, Flags: number) =>
    send(issuer, {
      TransactionType: 'TrustSet',
      Flags,
      LimitAmount: { currency: CURRENCY, issuer: holder.address, value: '0' },
    });
  const issuance = (Flags: number, holder?: Wallet) =>
    send(issuer, {
      TransactionType: 'MPTokenIssuanceSet',
      MPTokenIssuanceID: issuanceId,
      Flags,
      ...(holder === undefined ? {} : { Holder: holder.address }),
    });
  const trust = (wallet: Wallet, value: string) =>
    send(wallet, {
      TransactionType: 'TrustSet',
      LimitAmount: { currency: CURRENCY, issuer: issuer.address, value },
    });
  const setFlag = (wallet: Wallet, flag: keyof typeof FLAG) =>
    send(wallet, { TransactionType: 'AccountSet', SetFlag: FLAG[flag] });
  const clearFlag = (wallet: Wallet, flag: keyof typeof FLAG) =>
    send(wallet, { TransactionType: 'AccountSet', ClearFlag: FLAG[flag] });
  return {
    trust,
    setFlag,
    clearFlag,
    async optIn(wallet: Wallet, limit = '100000000') {
      await trust(wallet, limit);
      await send(wallet, { TransactionType: 'MPTokenAuthorize', MPTokenIssuanceID: issuanceId });
    },
    /** Of a holder that has opted in. */
    async authorise(holder: Wallet) {
      await line(holder, LINE.authorise);
      await send(issuer, {
        TransactionType: 'MPTokenAuthorize',
        MPTokenIssuanceID: issuanceId,
        Holder: holder.address,
      });
    },
    freeze: (holder: Wallet) => line(holder, LINE.freeze),
    unfreeze: (holder: Wallet) => line(holder, LINE.unfreeze),
    lock: (holder: Wallet) => issuance(ISSUANCE.lock, holder),
    unlock: (holder: Wallet) => issuance(ISSUANCE.unlock, holder),
    async stopAll() {
      await setFlag(issuer, 'globalFreeze');
      await issuance(ISSUANCE.lock);
    },
    async allowAll() {
      await clearFlag(issuer, 'globalFreeze');
      await issuance(ISSUANCE.unlock);
    },
  };
}
export type Acts = ReturnType<typeof actsOf>;
