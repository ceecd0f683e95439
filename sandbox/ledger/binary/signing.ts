import { fieldSpec } from './fields.ts';

/** `STX\0`: what a single signature covers begins with it. */
const SIGNING_PREFIX = '53545800';
const SIGNATURE_HEADER = fieldSpec('TxnSignature')?.headerHex ?? '';
const KEY_HEADER = fieldSpec('SigningPubKey')?.headerHex ?? '';

/**
 * The bytes (hex) that the only signature of a transaction covers: the blob without that signature. Undefined when the
 * signature is not found where canonical order puts it, right behind the key; then the codec has to rebuild them.
 */
export function signingHex(blob: string, publicKey: string, signature: string): string | undefined {
  if (signature.length === 0 || signature.length / 2 > 192) return undefined;
  const key = KEY_HEADER + (publicKey.length / 2).toString(16).toUpperCase().padStart(2, '0') + publicKey;
  const field = key + SIGNATURE_HEADER + (signature.length / 2).toString(16).toUpperCase().padStart(2, '0') + signature;
  const at = blob.indexOf(field);
  if (at < 0 || at % 2 !== 0 || blob.indexOf(field, at + 2) >= 0) return undefined;
  const cut = at + key.length;
  return SIGNING_PREFIX + blob.slice(0, cut) + blob.slice(at + field.length);
}
