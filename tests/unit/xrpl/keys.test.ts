import { describe, expect, test } from 'vitest';
import { applyEnv } from '#lib/base/env.ts';
import { checkSigningKeys, keyEntryFault } from '#lib/xrpl/keys.ts';
import { testEnv } from '../../support/env.ts';

/** The genesis account of every standalone ledger. */
const GENESIS = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
const SEED = 'snoPBrXtMeMyMHUVTgbuqAfg1SUTb';
const REGULAR_SEED = 'sEdTM1uX8pu2do5XvTnutH6HsouMaM2';
const REGULAR = 'rG31cLyErnqeVj2eomEjBZtq7PYaupGYzL';
const OTHER = 'rPtC9Yp9ZVnExX5E38HQX9xPVX3gWbka94';

const withKeys = (...entries: string[]) => applyEnv(testEnv({ SIGNING_KEYS: entries.join(',') }));

describe('the entries of SIGNING_KEYS', () => {
  test('a master key makes its own account, a regular key is named by the address it makes', async () => {
    withKeys(`${GENESIS}=secp256k1:${SEED}`, `${GENESIS}=ed25519:${REGULAR_SEED}`);
    expect(await checkSigningKeys()).toEqual([
      { account: GENESIS, keyAddress: GENESIS, fault: null },
      { account: GENESIS, keyAddress: REGULAR, fault: null },
    ]);
    expect(await keyEntryFault(GENESIS)).toBeNull();
  });

  test.each([
    ['algorithm_differs', `${GENESIS}=ed25519:${SEED}`, GENESIS],
    ['seed_unreadable', `${GENESIS}=secp256k1:snoPBrXtMeMyMHUVTgbuqAfg1SUTc`, GENESIS],
    ['address_invalid', `${GENESIS.slice(0, -1)}i=secp256k1:${SEED}`, `${GENESIS.slice(0, -1)}i`],
  ])('%s is told of the account that it concerns, without the seed', async (fault, entry, account) => {
    withKeys(entry, `${OTHER}=ed25519:${REGULAR_SEED}`);
    const keys = await checkSigningKeys();
    expect(keys).toMatchObject([
      { account, fault },
      { account: OTHER, keyAddress: REGULAR, fault: null },
    ]);
    expect(JSON.stringify(keys)).not.toMatch(/"s(?!eed_)/);
    expect(await keyEntryFault(account)).toBe(fault);
    expect(await keyEntryFault(OTHER)).toBeNull();
  });

  test('one wrong entry beside a good one makes the account unfit', async () => {
    withKeys(`${GENESIS}=secp256k1:${SEED}`, `${GENESIS}=ed25519:${SEED}`);
    expect(await keyEntryFault(GENESIS)).toBe('algorithm_differs');
  });

  test('other settings are checked anew', async () => {
    withKeys(`${GENESIS}=ed25519:${SEED}`);
    expect(await checkSigningKeys()).toHaveLength(1);
    withKeys();
    expect(await checkSigningKeys()).toEqual([]);
  });
});
