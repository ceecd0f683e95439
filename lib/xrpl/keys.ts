import { env } from '#lib/base/env.ts';

interface KeyEntry {
  /** Explicit, because the same seed makes another key under the other one (docs/ledger-facts.md, 18). */
  algorithm: 'ed25519' | 'secp256k1';
  seed: string;
}

/** The keys that SIGNING_KEYS names for an account, in their order. Each holds a secret: never log one. */
export const keyEntries = (address: string): KeyEntry[] =>
  env()
    .SIGNING_KEYS.filter((entry) => entry.startsWith(`${address}=`))
    .map((entry) => {
      const [algorithm, seed = ''] = entry.slice(address.length + 1).split(':');
      return { algorithm: algorithm === 'ed25519' ? 'ed25519' : 'secp256k1', seed };
    });

/** True when a signing key is configured for `address`. Says nothing of whether it works: `findSigner` does. */
export const canSignFor = (address: string): boolean => keyEntries(address).length > 0;

/**
 * What is wrong with an entry of SIGNING_KEYS in itself, whatever the ledger says. `algorithm_differs`: under the other
 * algorithm the seed makes the account's own key (docs/ledger-facts.md, 18).
 */
export type KeyEntryFault = 'address_invalid' | 'seed_unreadable' | 'algorithm_differs';

interface CheckedKey {
  /** The account that the entry is to sign for. */
  account: string;
  /** Address of the key: the account's own for its master key, another one for a regular key. Null when unreadable. */
  keyAddress: string | null;
  fault: KeyEntryFault | null;
}

const LIBRARY_NAMES = { ed25519: 'ed25519', secp256k1: 'ecdsa-secp256k1' } as const;
const OTHER = { ed25519: 'secp256k1', secp256k1: 'ed25519' } as const;

let checked: { entries: readonly string[]; keys: Promise<CheckedKey[]> } | undefined;

/**
 * Parses every entry of SIGNING_KEYS and derives its address, once a process. Loads no key library when there is none,
 * and never the ledger library. No seed is in the result.
 */
export function checkSigningKeys(): Promise<CheckedKey[]> {
  const entries = env().SIGNING_KEYS;
  if (checked?.entries === entries) return checked.keys;
  const keys = checkAll(entries);
  checked = { entries, keys };
  // Who asks after a failure, asks anew.
  keys.catch(() => {
    if (checked?.keys === keys) checked = undefined;
  });
  return keys;
}

async function checkAll(entries: readonly string[]): Promise<CheckedKey[]> {
  if (entries.length === 0) return [];
  const [{ isValidClassicAddress }, { deriveAddress, deriveKeypair }] = await Promise.all([
    import('ripple-address-codec'),
    import('ripple-keypairs'),
  ]);
  const addressOf = ({ seed, algorithm }: KeyEntry): string | null => {
    try {
      return deriveAddress(deriveKeypair(seed, { algorithm: LIBRARY_NAMES[algorithm] }).publicKey);
    } catch {
      // The decoder's message may quote the seed.
      return null;
    }
  };
  const accounts = [...new Set(entries.map((entry) => entry.slice(0, entry.indexOf('='))))];
  return accounts.flatMap((account) =>
    keyEntries(account).map((entry) => {
      const keyAddress = addressOf(entry);
      const faultOf = (): KeyEntryFault | null => {
        if (!isValidClassicAddress(account)) return 'address_invalid';
        if (keyAddress === null) return 'seed_unreadable';
        if (keyAddress === account) return null;
        return addressOf({ ...entry, algorithm: OTHER[entry.algorithm] }) === account ? 'algorithm_differs' : null;
      };
      return { account, keyAddress, fault: faultOf() };
    }),
  );
}

/** What is wrong with an account's entries; null when nothing is. One bad entry is enough: which one is meant is unknown. */
export async function keyEntryFault(account: string): Promise<KeyEntryFault | null> {
  const keys = await checkSigningKeys();
  return keys.find((key) => key.account === account && key.fault !== null)?.fault ?? null;
}
