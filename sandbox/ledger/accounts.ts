import { hash } from 'node:crypto';
import { encodeSeed } from 'ripple-address-codec';
import { deriveAddress, deriveKeypair } from 'ripple-keypairs';
import type { Chain } from './chain.ts';
import { account } from './engine/view.ts';
import { payFromGenesis } from './faucet.ts';

/** An account that is there from the start. */
export type FundedAccount = { readonly address: string; readonly seed: string; readonly publicKey: string };

/** What the accounts' keys are made from when nothing else is said. */
export const DEFAULT_PHRASE = 'xrpl-sandbox';
export const DEFAULT_ACCOUNT_XRP = 10_000;
const ENTROPY_BYTES = 16;

/**
 * The same accounts for the same phrase, everywhere: the n-th has the ed25519 seed that `wallet_propose` makes of the
 * passphrase "<phrase> <n>", whose entropy is the first 16 bytes of its SHA-512.
 */
export function accountsOf(phrase: string, count: number): FundedAccount[] {
  return Array.from({ length: count }, (_, i) => {
    const entropy = hash('sha512', `${phrase} ${i + 1}`, 'buffer').subarray(0, ENTROPY_BYTES);
    const seed = encodeSeed(entropy, 'ed25519');
    const { publicKey } = deriveKeypair(seed);
    return { address: deriveAddress(publicKey), seed, publicKey };
  });
}

/** Pays that much to each account that the ledger does not have yet, and closes the ledger. */
export function fundAccounts(chain: Chain, accounts: readonly FundedAccount[], xrp: number): void {
  const absent = accounts.filter(({ address }) => !account(chain.open, address));
  for (const { address } of absent) {
    const result = payFromGenesis(chain, address, xrp);
    if (result !== 'tesSUCCESS') throw new RangeError(`the account ${address} cannot be funded: ${result}`);
  }
  if (absent.length > 0) chain.close();
}
