/** Bits that nobody guesses. */
const ENOUGH_BITS = 100;

const PLACEHOLDER = /change.?me|example|placeholder|password|passw0rd|your.?(?:secret|token|key)|dummy|(.)\1{7}/i;

/** Bits of a text whose characters were drawn as often as they occur in it: an upper bound of what a guesser needs. */
export function entropyBits(text: string): number {
  const characters = [...text];
  const counts = Map.groupBy(characters, (character) => character);
  let bits = 0;
  for (const { length } of counts.values()) bits -= length * Math.log2(length / characters.length);
  return bits;
}

/** Why a secret is no secret; null when it may be one. */
export function weakness(secret: string): string | null {
  if (PLACEHOLDER.test(secret)) return 'looks like a placeholder';
  const bits = entropyBits(secret);
  return bits >= ENOUGH_BITS ? null : `is too regular (about ${Math.floor(bits)} bits)`;
}
