import { createHash } from 'node:crypto';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** `inv_…` and `pay_…`: 22 base62 digits of the SHA-256 of what it names (docs/verification.md section 7). */
export function identifier(prefix: string, ...named: string[]): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([prefix, ...named]))
    .digest('hex');
  let number = BigInt(`0x${digest}`) % 62n ** 22n;
  const digits: string[] = [];
  while (digits.length < 22) {
    digits.unshift(DIGITS.charAt(Number(number % 62n)));
    number /= 62n;
  }
  return `${prefix}_${digits.join('')}`;
}
