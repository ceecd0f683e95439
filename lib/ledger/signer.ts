import type { Transaction } from 'xrpl';
import { env } from '#lib/platform/env.ts';
import { PlatformError } from '#lib/platform/errors.ts';
import type { SignedTransaction } from './types.ts';

/** Signs for one account. A signer on another machine needs no more than this. */
export interface Signer {
  address: string;
  /** The transaction must be complete (fee, sequence or ticket, LastLedgerSequence); only the network id is added here. */
  sign(transaction: Transaction): Promise<SignedTransaction>;
}

/** Networks up to this id refuse the NetworkID field, those above require it. */
const LAST_NETWORK_WITHOUT_FIELD = 1024;

/**
 * The signer of an account from SIGNING_KEYS. Throws PlatformError `service_unavailable` when there is no key, or the
 * key makes another address than the one it stands beside (ledger fact 18); the seed is in no message.
 */
export async function signerFor(address: string): Promise<Signer> {
  const entry = env().SIGNING_KEYS.find((candidate) => candidate.startsWith(`${address}=`));
  if (entry === undefined) {
    throw new PlatformError('service_unavailable', `No signing key is configured for account ${address}`);
  }
  const [algorithm, seed = ''] = entry.slice(address.length + 1).split(':');
  const { ECDSA, Wallet } = await import('xrpl');
  const wallet = walletOf(() =>
    Wallet.fromSeed(seed, { algorithm: algorithm === 'ed25519' ? ECDSA.ed25519 : ECDSA.secp256k1 }),
  );
  if (wallet?.classicAddress !== address) {
    throw new PlatformError('service_unavailable', `The signing key of account ${address} does not belong to it`);
  }
  const networkId = env().XRPL_NETWORK_ID;
  return {
    address,
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
