import { checkSigningKeys } from '#lib/xrpl/keys.ts';
import type { OfferedAccounts } from './accounts-part.tsx';

/** Every account whose key the platform has, for either part. */
export async function signingAccounts(): Promise<OfferedAccounts> {
  const all = await signers();
  const lead =
    all.length === 0
      ? 'The platform must sign for the first two, and has no key yet: set SIGNING_KEYS, deploy, then come back.'
      : 'The platform must sign for the first two: each field offers the accounts whose keys it has.';
  return { deposit: all, distributor: all, lead };
}

/** Addresses of the accounts whose keys are configured and can be read, each once. */
export async function signers(): Promise<string[]> {
  const keys = await checkSigningKeys();
  return [...new Set(keys.filter(({ fault }) => fault === null).map(({ account }) => account))];
}
