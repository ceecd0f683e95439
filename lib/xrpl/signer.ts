import type { Custody } from '@tranche/rules/custody.ts';
import { forNetwork } from '@tranche/rules/transactions.ts';
import { LRUCache } from 'lru-cache';
import type { Wallet } from 'xrpl';
import { env } from '#lib/base/env.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { hasAccountFlag } from './account.ts';
import { keyEntries } from './keys.ts';
import { isInForce, multiSigner } from './multi-signer.ts';
import type { Signer, SignOutcome, SignRequest } from './signing.ts';
import { hashOfBlob } from './transaction-hash.ts';
import { LEDGERS_TO_LIVE } from './transactions.ts';
import type { AccountState, SignedTransaction } from './types.ts';

export type { Signer, SignOutcome, SignRequest } from './signing.ts';

/** `key_disabled`: it is the master key, which the account has disabled. `key_changed`: it is not the account's regular key. */
type KeyFault = 'key_disabled' | 'key_changed';

/** What the validated ledger shows of who may sign for an account. */
export type SigningAccount = Pick<AccountState, 'address' | 'flags' | 'regularKey' | 'signerList'>;

/**
 * Why the ledger would refuse what this key signs for the account; null when it would not (docs/ledger-facts.md, 26).
 * Pure.
 */
export function keyFault(keyAddress: string, account: SigningAccount): KeyFault | null {
  if (keyAddress === account.regularKey) return null;
  if (keyAddress !== account.address) return 'key_changed';
  return hasAccountFlag(account, 'disableMasterKey') ? 'key_disabled' : null;
}

/** By algorithm and seed: to derive a key takes as long as to sign fifty times, and each batch asks for the same one. */
const known = new LRUCache<string, Wallet>({ max: 100 });

/**
 * The signer of an account from SIGNING_KEYS, or why none of its keys may sign now. An account may have several keys
 * there: the first one that the ledger takes is used, so that a regular key can be replaced without a pause. Under a
 * custody it is the platform's key of the set, which signs with witnesses, and only while the ledger shows that set.
 * Throws PlatformError `service_unavailable` when there is no key or a seed cannot be read; the seed is in no message.
 */
export async function findSigner(account: SigningAccount, custody: Custody | null): Promise<Signer | KeyFault> {
  const { address } = account;
  const entries = keyEntries(address);
  if (entries.length === 0) {
    throw new PlatformError('service_unavailable', `No signing key is configured for account ${address}`);
  }
  const { ECDSA, Wallet } = await import('xrpl');
  const wallets = entries.map(({ algorithm, seed }) => {
    const name = `${algorithm}:${seed}`;
    const wallet = known.get(name) ?? walletOf(() => Wallet.fromSeed(seed, { algorithm: ECDSA[algorithm] }));
    if (wallet !== null) {
      known.set(name, wallet);
      return wallet;
    }
    throw new PlatformError('service_unavailable', `A signing key of account ${address} cannot be read`);
  });
  if (custody !== null) {
    const platform = wallets.find((wallet) => wallet.classicAddress === custody.platform.account);
    return platform !== undefined && isInForce(custody, account.signerList)
      ? multiSigner(address, platform, custody)
      : 'key_changed';
  }
  const fitting = wallets.find((wallet) => keyFault(wallet.classicAddress, account) === null);
  if (fitting !== undefined) return signerOf(address, fitting);
  return wallets.some((wallet) => wallet.classicAddress === address) ? 'key_disabled' : 'key_changed';
}

/** The same for who can do nothing without it. Throws `service_unavailable` also when no configured key may sign. */
export async function signerFor(account: SigningAccount, custody: Custody | null): Promise<Signer> {
  const signer = await findSigner(account, custody);
  if (typeof signer !== 'string') return signer;
  if (custody !== null) {
    throw new PlatformError(
      'service_unavailable',
      `The signing key of account ${account.address} is not the platform’s of its custody, or the ledger shows another signer list`,
    );
  }
  throw new PlatformError(
    'service_unavailable',
    signer === 'key_disabled'
      ? `The master key of account ${account.address} is disabled, and no regular key of it is configured`
      : `The signing key of account ${account.address} is neither its master key nor its regular key on the ledger`,
  );
}

/**
 * The transaction whose signed bytes these are, with its signature: the field that follows the key's. To encode it once more
 * takes longer than to sign it. All in upper-case hexadecimal.
 */
function withSignature(message: string, prefix: string, publicKey: string, signature: string): string {
  const key = `7321${publicKey}`;
  const [before, after, ...more] = message.split(key);
  if (before?.startsWith(prefix) !== true || after === undefined || more.length > 0) {
    throw new Error('The bytes to sign do not have the form of a transaction');
  }
  const length = (signature.length / 2).toString(16).toUpperCase();
  return `${before.slice(prefix.length)}${key}74${length}${signature}${after}`;
}

function signerOf(address: string, wallet: Wallet): Signer {
  const networkId = env().XRPL_NETWORK_ID;
  return {
    address,
    keyAddress: wallet.classicAddress,
    signatures: 0,
    ledgersToLive: LEDGERS_TO_LIVE,
    isWitnessed: false,
    sign: async (requests) => {
      const [{ validate }, { SIGNING_PREFIX, signingBytes }, { signMessage }] = await Promise.all([
        import('xrpl'),
        import('./signing-bytes.ts'),
        import('@tranche/witness/key-signature.ts'),
      ]);
      return requests.map(({ transaction }): SignOutcome => {
        try {
          // The library's own way but for its two slow parts (signing-bytes.ts, key-signature.ts).
          const complete = { ...forNetwork(transaction, networkId), SigningPubKey: wallet.publicKey };
          validate({ ...complete });
          const message = signingBytes(complete);
          const blob = withSignature(
            message,
            SIGNING_PREFIX,
            wallet.publicKey,
            signMessage(message, wallet.privateKey),
          );
          return { kind: 'signed', hash: hashOfBlob(blob), blob };
        } catch (cause) {
          return { kind: 'unsignable', cause };
        }
      });
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

/** Signs one transaction. Throws `service_unavailable` with what is in the way when it is not signed. */
export async function signOne(signer: Signer, request: SignRequest): Promise<SignedTransaction> {
  const [outcome] = await signer.sign([request]);
  if (outcome?.kind === 'signed') return { hash: outcome.hash, blob: outcome.blob };
  if (outcome?.kind === 'waiting') {
    throw new PlatformError('service_unavailable', `Too few witnesses have signed: ${outcome.detail}. Try again.`);
  }
  if (outcome?.kind === 'refused') {
    throw new PlatformError('service_unavailable', `The witnesses refuse it. ${outcome.detail}`);
  }
  throw new PlatformError('internal_error', 'The transaction cannot be signed', { cause: outcome?.cause });
}
