/**
 * Signs a text where the seed is, on the wallet owner's machine, and prints what to paste. It works with the seed of either
 * algorithm: the seed says which. `tests/browser/developer-proof.test.ts` runs it.
 */
export const signScript = (message: string): string => `// node sign.mjs, beside: npm install ripple-keypairs
// seed.txt holds the wallet's seed (s…); it stays on your machine.
import { readFileSync } from 'node:fs';
import { deriveKeypair, sign } from 'ripple-keypairs';

const message = ${JSON.stringify(message)};
const { publicKey, privateKey } = deriveKeypair(readFileSync('seed.txt', 'utf8').trim());
const bytes = Buffer.from(message, 'utf8').toString('hex').toUpperCase();
console.log(JSON.stringify({ public_key: publicKey, signature: sign(bytes, privateKey) }));
`;
