import type { Wallet } from 'xrpl';
import { CLOSED_AT_MS } from '#tests/support/sale.ts';
import { RIPPLE_EPOCH_SECONDS } from './escrows.ts';
import { CURRENCY, type ProjectBody, type Sale, type Stage } from './stage.ts';

const DAY_MS = 86_400_000;

/** The sales of these tests end after a day, and what they do not sell cannot move for ten days more. */
export const ENDS_AT = new Date(CLOSED_AT_MS + DAY_MS).toISOString();
export const UNSOLD_UNTIL = new Date(CLOSED_AT_MS + 11 * DAY_MS).toISOString();
export const UNSOLD_UNTIL_SECONDS = Date.parse(UNSOLD_UNTIL) / 1_000 - RIPPLE_EPOCH_SECONDS;

/** Accounts of a sale whose distributor is not the issuer, which allows escrows. */
export interface UnsoldParties {
  deposit: Wallet;
  issuer: Wallet;
  distributor: Wallet;
}
export type UnsoldSale = Sale & UnsoldParties;

export const tokenAmount = (issuer: Wallet, value: string) => ({ currency: CURRENCY, issuer: issuer.address, value });

/** With a distributor of another sale it holds a second token. */
export async function unsoldParties(
  stage: Stage,
  held = '6000',
  given: Partial<Pick<UnsoldParties, 'distributor'>> = {},
): Promise<UnsoldParties> {
  const deposit = await stage.account();
  const distributor = given.distributor ?? (await stage.account());
  const issuer = await stage.issuer();
  await stage.setFlag(issuer, 'asfAllowTrustLineLocking');
  stage.entrust(distributor);
  await stage.desk.write([
    distributor,
    { TransactionType: 'TrustSet', Account: distributor.address, LimitAmount: tokenAmount(issuer, '1000000000') },
  ]);
  await stage.desk.write([
    issuer,
    {
      TransactionType: 'Payment',
      Account: issuer.address,
      Destination: distributor.address,
      Amount: tokenAmount(issuer, held),
    },
  ]);
  return { deposit, issuer, distributor };
}

/** A draft that promises to lock what it does not sell. */
export async function unsoldDraft(
  stage: Stage,
  body: Partial<ProjectBody> = {},
  parties?: UnsoldParties,
): Promise<UnsoldSale> {
  const given = parties ?? (await unsoldParties(stage));
  const terms = { ends_at: ENDS_AT, unsold_until: UNSOLD_UNTIL, distributor: given.distributor.address };
  const sale = await stage.draft({ ...terms, ...body }, { deposit: given.deposit, issuer: given.issuer });
  return { ...sale, ...given };
}
