import { checkSigningKeys } from '#lib/xrpl/keys.ts';

/** Addresses of the accounts whose keys are configured and can be read, each once. */
export async function signers(): Promise<string[]> {
  const keys = await checkSigningKeys();
  return [...new Set(keys.filter(({ fault }) => fault === null).map(({ account }) => account))];
}
