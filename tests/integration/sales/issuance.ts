import { MPTokenIssuanceCreateFlags, type Wallet } from 'xrpl';
import type { Stage } from './stage.ts';

export interface IssuanceTerms {
  flags?: number;
  assetScale?: number;
  maximum?: string;
  transferFee?: number;
}

/** Issues an MPT and gives its id. Unless a test says otherwise holders can pass it on, and it has two decimals. */
export async function issue(
  stage: Stage,
  issuer: Wallet,
  { flags = MPTokenIssuanceCreateFlags.tfMPTCanTransfer, assetScale = 2, maximum, transferFee }: IssuanceTerms = {},
): Promise<string> {
  const hash = await stage.desk.send(issuer, {
    TransactionType: 'MPTokenIssuanceCreate',
    Account: issuer.address,
    AssetScale: assetScale,
    Flags: flags,
    ...(maximum === undefined ? {} : { MaximumAmount: maximum }),
    ...(transferFee === undefined ? {} : { TransferFee: transferFee }),
  });
  stage.desk.close();
  const { result } = await stage.desk.client.request({ command: 'tx', transaction: hash });
  const { mpt_issuance_id: id } = result.meta as { mpt_issuance_id: string };
  return id;
}

/** A holder says that it wants to hold the token; with `holder`, the issuer lets it. */
export async function authorize(stage: Stage, from: Wallet, id: string, holder?: Wallet): Promise<void> {
  await stage.desk.send(from, {
    TransactionType: 'MPTokenAuthorize',
    Account: from.address,
    MPTokenIssuanceID: id,
    ...(holder === undefined ? {} : { Holder: holder.address }),
  });
  stage.desk.close();
}

/** Pays units of an MPT. */
export async function payUnits(stage: Stage, from: Wallet, to: Wallet, id: string, units: string): Promise<void> {
  await stage.desk.send(from, {
    TransactionType: 'Payment',
    Account: from.address,
    Destination: to.address,
    Amount: { mpt_issuance_id: id, value: units },
  });
  stage.desk.close();
}

/** Locks the whole token, or one holder's, or takes the lock away again. */
export async function setLock(stage: Stage, issuer: Wallet, id: string, flag: number, holder?: Wallet): Promise<void> {
  await stage.desk.send(issuer, {
    TransactionType: 'MPTokenIssuanceSet',
    Account: issuer.address,
    MPTokenIssuanceID: id,
    Flags: flag,
    ...(holder === undefined ? {} : { Holder: holder.address }),
  });
  stage.desk.close();
}
