import { open } from 'node:fs/promises';
import type { Wallet } from 'xrpl';
import { looksLikeSeed } from './plain-text.ts';

export type SeedAlgorithm = 'ed25519' | 'secp256k1';

/** Reads the seed through one handle, so that what is checked is what is read. The seed is in no message. */
export async function readSeedFile(path: string): Promise<{ seed: string; othersMayRead: boolean }> {
  const file = await open(path, 'r');
  try {
    const othersMayRead = ((await file.stat()).mode & 0o077) !== 0;
    const seed = (await file.readFile('utf8')).trim();
    if (!looksLikeSeed(seed)) throw new Error(`${path} must hold one seed (s…) and nothing else`);
    return { seed, othersMayRead };
  } finally {
    await file.close();
  }
}

/** The key of a seed; by default Ed25519 for one that begins with sEd, else secp256k1. The seed is in no message. */
export async function walletOfSeed(
  seed: string,
  algorithm: SeedAlgorithm = seed.startsWith('sEd') ? 'ed25519' : 'secp256k1',
): Promise<Wallet> {
  const { ECDSA, Wallet } = await import('xrpl');
  try {
    return Wallet.fromSeed(seed, { algorithm: ECDSA[algorithm] });
  } catch {
    // The decoder's message may quote the seed.
    throw new Error('The seed cannot be read: a character is wrong or missing');
  }
}
