import type { Transaction, Wallet } from 'xrpl';
import { env } from '#lib/base/env.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { hasAccountFlag } from './account.ts';
import { keyEntries } from './keys.ts';
import type { AccountState, SignedTransaction } from './types.ts';

/**
 * Signs for one account. A signer on another machine needs no more than this, and `keyAddress` so that `keyFault` can
 * tell whether the ledger takes its signatures.
 */
export interface Signer {
  /** The account whose transactions it signs. */
  address: string;
  /** Address of the key itself: the account's own for its master key, another one for a regular key. */
  keyAddress: string;
  /** The transaction must be complete (fee, sequence or ticket, LastLedgerSequence); only the network id is added here. */
  sign(transaction: Transaction): Promise<SignedTransaction>;
}

/** `key_disabled`: it is the master key, which the account has disabled. `key_changed`: it is not the account's regular key. */
type KeyFault = 'key_disabled' | 'key_changed';

/** What the validated ledger shows of who may sign for an account. */
export type SigningAccount = Pick<AccountState, 'address' | 'flags' | 'regularKey'>;

/** Networks up to this id refuse the NetworkID field, those above require it. */
const LAST_NETWORK_WITHOUT_FIELD = 1024;

/**
 * Why the ledger would refuse what this key signs for the account; null when it would not (docs/ledger-facts.md, 26).
 * Pure.
 */
export function keyFault(keyAddress: string, account: SigningAccount): KeyFault | null {
  if (keyAddress === account.regularKey) return null;
  if (keyAddress !== account.address) return 'key_changed';
  return hasAccountFlag(account, 'disableMasterKey') ? 'key_disabled' : null;
}

/**
 * The signer of an account from SIGNING_KEYS, or why none of its keys may sign now. An account may have several keys
 * there: the first one that the ledger takes is used, so that a regular key can be replaced without a pause.
 * Throws PlatformError `service_unavailable` when there is no key or a seed cannot be read; the seed is in no message.
 */
export async function findSigner(account: SigningAccount): Promise<Signer | KeyFault> {
  const { address } = account;
  const entries = keyEntries(address);
  if (entries.length === 0) {
    throw new PlatformError('service_unavailable', `No signing key is configured for account ${address}`);
  }
  const { ECDSA, Wallet } = await import('xrpl');
  const wallets = entries.map(({ algorithm, seed }) => {
    const wallet = walletOf(() => Wallet.fromSeed(seed, { algorithm: ECDSA[algorithm] }));
    if (wallet !== null) return wallet;
    throw new PlatformError('service_unavailable', `A signing key of account ${address} cannot be read`);
  });
  const fitting = wallets.find((wallet) => keyFault(wallet.classicAddress, account) === null);
  if (fitting !== undefined) return signerOf(address, fitting);
  return wallets.some((wallet) => wallet.classicAddress === address) ? 'key_disabled' : 'key_changed';
}

/** The same for who can do nothing without it. Throws `service_unavailable` also when no configured key may sign. */
export async function signerFor(account: SigningAccount): Promise<Signer> {
  const signer = await findSigner(account);
  if (typeof signer !== 'string') return signer;
  throw new PlatformError(
    'service_unavailable',
    signer === 'key_disabled'
      ? `The master key of account ${account.address} is disabled, and no regular key of it is configured`
      : `The signing key of account ${account.address} is neither its master key nor its regular key on the ledger`,
  );
}

function signerOf(address: string, wallet: Wallet): Signer {
  const networkId = env().XRPL_NETWORK_ID;
  return {
    address,
    keyAddress: wallet.classicAddress,
    async sign(transaction) {
      const complete = networkId > LAST_NETWORK_WITHOUT_FIELD ? { ...transaction, NetworkID: networkId } : transaction;
      const { hash, tx_blob: blob } = wallet.sign(complete);
      return { hash, blob };
    },
  };
}

/** Errors of the seed decoder may quote what they were given. */
function walletOf<T>(make: () => T): T | null {
  try {
    return make();
  } catch {
    return null;
  }
}
