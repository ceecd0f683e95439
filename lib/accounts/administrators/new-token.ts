import { type RandomBytes, randomBase62 } from '#lib/base/ids.ts';
import { sha256Hex } from '#lib/base/secretbox.ts';

/** Base62 digits: a little over 256 bits. */
const LENGTH = 43;

/** A new administrator's token, and all that the platform may know of it. The prefix lets logs recognise and blot it out. */
export function newToken(random: RandomBytes): { token: string; tokenHash: string } {
  const token = `tr_admin_${randomBase62(random, LENGTH)}`;
  return { token, tokenHash: sha256Hex(token) };
}
