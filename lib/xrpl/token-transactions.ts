import type { LedgerToken } from './token.ts';

/** Transactions that set a token up, without fee and sequence, which the signer adds. All of them pure. */

/** AccountSet's numbers of the flags (xrpl.org, AccountSet). */
const SET_FLAG = { requireAuthorization: 2, noFreeze: 6, globalFreeze: 7, defaultRipple: 8 } as const;

/** tfSetNoRipple: no balances of others can pass through the holder's line. */
const SET_NO_RIPPLE = 0x0002_0000;
/** tfSetfAuth: the issuer lets the holder of the line hold its tokens. */
const SET_AUTHORIZED = 0x0001_0000;

/** What an MPT's issuer may allow, as bits of MPTokenIssuanceCreate's flags. */
export const ISSUANCE_FLAGS = {
  can_lock: 0x02,
  requires_authorization: 0x04,
  can_escrow: 0x08,
  can_trade: 0x10,
  can_transfer: 0x20,
  can_claw_back: 0x40,
} as const;
export type IssuanceFlag = keyof typeof ISSUANCE_FLAGS;

export const setAccountFlag = (issuer: string, flag: keyof typeof SET_FLAG) => ({
  TransactionType: 'AccountSet' as const,
  Account: issuer,
  SetFlag: SET_FLAG[flag],
});

export const endGlobalFreeze = (issuer: string) => ({
  TransactionType: 'AccountSet' as const,
  Account: issuer,
  ClearFlag: SET_FLAG.globalFreeze,
});

export const endTransferFee = (issuer: string) => ({
  TransactionType: 'AccountSet' as const,
  Account: issuer,
  TransferRate: 0,
});

/** Makes an account able to hold the token. `limit` is a value as the ledger takes it, for an issued currency. */
export const holdToken = (token: LedgerToken, limit: string) =>
  token.kind === 'iou'
    ? {
        TransactionType: 'TrustSet' as const,
        LimitAmount: { currency: token.currency, issuer: token.issuer, value: limit },
        Flags: SET_NO_RIPPLE,
      }
    : { TransactionType: 'MPTokenAuthorize' as const, MPTokenIssuanceID: token.issuanceId };

/** The issuer lets a holder hold the token. */
export const authorizeHolder = (issuer: string, token: LedgerToken, holder: string) =>
  token.kind === 'iou'
    ? {
        TransactionType: 'TrustSet' as const,
        Account: issuer,
        LimitAmount: { currency: token.currency, issuer: holder, value: '0' },
        Flags: SET_AUTHORIZED,
      }
    : {
        TransactionType: 'MPTokenAuthorize' as const,
        Account: issuer,
        MPTokenIssuanceID: token.issuanceId,
        Holder: holder,
      };

/** The issuer pays tokens out, which issues them. `value`: tokens of an issued currency, smallest units of an MPT. */
export const issueTo = (issuer: string, token: LedgerToken, holder: string, value: string) => ({
  TransactionType: 'Payment' as const,
  Account: issuer,
  Destination: holder,
  Amount:
    token.kind === 'iou' ? { currency: token.currency, issuer, value } : { mpt_issuance_id: token.issuanceId, value },
});

/** What of a new MPT can never be changed. */
export interface NewIssuance {
  assetScale: number;
  /** In smallest units. */
  maximum: bigint;
  flags: readonly IssuanceFlag[];
  /** By the short names of XLS-89; left out when there is none. */
  metadata: Readonly<Record<string, string>> | null;
}

export const createIssuance = (issuer: string, { assetScale, maximum, flags, metadata }: NewIssuance) => ({
  TransactionType: 'MPTokenIssuanceCreate' as const,
  Account: issuer,
  AssetScale: assetScale,
  MaximumAmount: maximum.toString(),
  Flags: flags.reduce((bits, flag) => bits | ISSUANCE_FLAGS[flag], 0),
  ...(metadata === null
    ? {}
    : { MPTokenMetadata: Buffer.from(JSON.stringify(metadata)).toString('hex').toUpperCase() }),
});
