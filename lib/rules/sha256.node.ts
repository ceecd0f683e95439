import { createHash, hash } from 'node:crypto';
import type { Sha256 } from './sha256.ts';

export const sha256Hex = (text: string): string => hash('sha256', text, 'hex');

export function newSha256(): Sha256 {
  const parts = createHash('sha256');
  return {
    update: (text) => {
      parts.update(text);
    },
    hex: () => parts.digest('hex'),
  };
}
