import { env } from '#lib/base/env.ts';

export interface KeyEntry {
  /** Explicit, because the same seed makes another key under the other one (docs/ledger-facts.md, 18). */
  algorithm: 'ed25519' | 'secp256k1';
  seed: string;
}

/** The keys that SIGNING_KEYS names for an account, in their order. Whoever logs one, logs a secret. */
export const keyEntries = (address: string): KeyEntry[] =>
  env()
    .SIGNING_KEYS.filter((entry) => entry.startsWith(`${address}=`))
    .map((entry) => {
      const [algorithm, seed = ''] = entry.slice(address.length + 1).split(':');
      return { algorithm: algorithm === 'ed25519' ? 'ed25519' : 'secp256k1', seed };
    });

/** True when a signing key is configured for `address`. Says nothing of whether it works: `findSigner` does. */
export const canSignFor = (address: string): boolean => keyEntries(address).length > 0;
