import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** A SHA-256 that is given its text in parts, as UTF-8. */
export interface Sha256 {
  update(text: string): void;
  hex(): string;
}

/** SHA-256 where there is no Node.js, which has a faster one of its own (sha256.node.ts). */
export const sha256Hex = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)));

export function newSha256(): Sha256 {
  const hash = sha256.create();
  return {
    update: (text) => {
      hash.update(utf8ToBytes(text));
    },
    hex: () => bytesToHex(hash.digest()),
  };
}
