import { env } from '#lib/platform/env.ts';

/** True when a signing key is configured for `address`. Says nothing of whether it works: `signerFor` does. */
export const canSignFor = (address: string): boolean =>
  env().SIGNING_KEYS.some((entry) => entry.startsWith(`${address}=`));
