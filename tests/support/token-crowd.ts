import { deriveAddress } from 'ripple-keypairs';
import type { Client } from 'xrpl';
import { GENESIS_ADDRESS } from 'xrpl-sandbox/index.ts';

/** An account of the stand-in ledger that acts without signatures: its address follows from a key that nobody has. */
export interface TestWallet {
  address: string;
  publicKey: string;
}

type Fields = { TransactionType: string; Account: string; SigningPubKey: string; [field: string]: unknown };

export const GENESIS: TestWallet = {
  address: GENESIS_ADDRESS,
  publicKey: '0330E7FC9D56BB25D6893BA3F317AE5BCF33B3291BD63DB32654A313222F7FD020',
};
const A_REQUEST = 4_000;

/** TestWallet number `n`, always the same one. */
export function testWallet(n: number): TestWallet {
  const publicKey = `ED${n.toString(16).toUpperCase().padStart(64, '0')}`;
  return { publicKey, address: deriveAddress(publicKey) };
}

export const testWallets = (count: number, from = 0): TestWallet[] =>
  Array.from({ length: count }, (_, i) => testWallet(from + i));

/** Writes transactions into the ledger, validated and without signatures; accounts act in the order given. */
export async function write(client: Client, transactions: readonly Fields[]): Promise<void> {
  for (let from = 0; from < transactions.length; from += A_REQUEST) {
    await client.request({
      command: 'sandbox_write_transactions',
      transactions: transactions.slice(from, from + A_REQUEST),
      per_ledger: A_REQUEST,
    } as never);
  }
}

export const of = (
  { address, publicKey }: TestWallet,
  TransactionType: string,
  fields: Record<string, unknown>,
): Fields => ({
  TransactionType,
  Account: address,
  SigningPubKey: publicKey,
  ...fields,
});

export const fund = (client: Client, accounts: readonly TestWallet[]): Promise<void> =>
  write(
    client,
    accounts.map(({ address }) => of(GENESIS, 'Payment', { Destination: address, Amount: '20000000' })),
  );

/** Has them trust the issuer for more than there can be. */
export const trust = (
  client: Client,
  issuer: TestWallet,
  currency: string,
  holders: readonly TestWallet[],
): Promise<void> =>
  write(
    client,
    holders.map((holder) =>
      of(holder, 'TrustSet', { LimitAmount: { currency, issuer: issuer.address, value: '9999999999999999e80' } }),
    ),
  );

export interface Grant {
  to: TestWallet;
  /** In tokens; of an MPT in units. */
  value: string;
}

/** The issuer pays each of them so much of its currency. */
export const give = (client: Client, issuer: TestWallet, currency: string, grants: readonly Grant[]): Promise<void> =>
  write(
    client,
    grants.map(({ to, value }) =>
      of(issuer, 'Payment', { Destination: to.address, Amount: { currency, issuer: issuer.address, value } }),
    ),
  );

/** Each of them pays so much back to the issuer. */
export const payBack = (
  client: Client,
  issuer: TestWallet,
  currency: string,
  grants: readonly Grant[],
): Promise<void> =>
  write(
    client,
    grants.map(({ to: from, value }) =>
      of(from, 'Payment', { Destination: issuer.address, Amount: { currency, issuer: issuer.address, value } }),
    ),
  );

/** The holders want the MPT, and the issuer pays each so many units. */
export async function giveMpt(client: Client, issuer: TestWallet, id: string, grants: readonly Grant[]): Promise<void> {
  await write(
    client,
    grants.map(({ to }) => of(to, 'MPTokenAuthorize', { MPTokenIssuanceID: id })),
  );
  await write(
    client,
    grants
      .filter(({ value }) => value !== '0')
      .map(({ to, value }) =>
        of(issuer, 'Payment', { Destination: to.address, Amount: { mpt_issuance_id: id, value } }),
      ),
  );
}

/** Issues an MPT and gives its id. */
export async function issueMpt(client: Client, issuer: TestWallet, assetScale: number): Promise<string> {
  const { result } = await client.request({
    command: 'sandbox_write_transactions',
    transactions: [of(issuer, 'MPTokenIssuanceCreate', { AssetScale: assetScale, Flags: 0x20 })],
    per_ledger: 1,
  } as never);
  const { transactions } = result as { transactions: [{ hash: string }] };
  const { result: found } = await client.request({ command: 'tx', transaction: transactions[0].hash });
  return (found.meta as { mpt_issuance_id: string }).mpt_issuance_id;
}
