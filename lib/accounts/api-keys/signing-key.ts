import { hasAccountFlag } from '#lib/xrpl/account.ts';
import type { AccountState } from '#lib/xrpl/types.ts';

export interface Signature {
  /** Hexadecimal, 33 bytes. */
  public_key: string;
  /** Hexadecimal. */
  signature: string;
}

/**
 * Address of the key that signed exactly these bytes of `text`, or null. Strict: DER and the low half of the curve for
 * secp256k1, RFC 8032 for Ed25519. The library is loaded by who proves something, and by nobody else.
 */
export async function signedBy(text: string, { public_key: publicKey, signature }: Signature): Promise<string | null> {
  const { deriveAddress, verify } = await import('ripple-keypairs');
  try {
    const signed = verify(Buffer.from(text, 'utf8').toString('hex').toUpperCase(), signature, publicKey);
    return signed ? deriveAddress(publicKey) : null;
  } catch {
    // A signature or a point that cannot be read.
    return null;
  }
}

/**
 * True when the key may speak for the wallet as the validated ledger shows it: its current regular key, or its master key
 * unless that is disabled (docs/ledger-facts.md, 26). An account that does not exist yet (null) has its master key
 * only. Pure.
 */
export function speaksFor(
  keyAddress: string,
  walletAddress: string,
  account: Pick<AccountState, 'flags' | 'regularKey'> | null,
): boolean {
  if (account !== null && keyAddress === account.regularKey) return true;
  return keyAddress === walletAddress && (account === null || !hasAccountFlag(account, 'disableMasterKey'));
}
