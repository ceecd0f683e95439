import { afterEach, expect, test, vi } from 'vitest';
import { applyEnv } from '#lib/base/env.ts';
import { checkSigningKeys } from '#lib/xrpl/keys.ts';
import { testEnv } from '#tests/support/env.ts';

const ACCOUNT = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
afterEach(() => {
  vi.doUnmock('ripple-keypairs');
});

test('keys that could not be checked once are checked again when they are asked for again', async () => {
  applyEnv(testEnv({ SIGNING_KEYS: `${ACCOUNT}=secp256k1:snoPBrXtMeMyMHUVTgbuqAfg1SUTb` }));
  vi.doMock('ripple-keypairs', () => {
    throw new Error('The file could not be read');
  });
  await expect(checkSigningKeys()).rejects.toThrow();
  vi.doUnmock('ripple-keypairs');
  expect(await checkSigningKeys()).toEqual([{ account: ACCOUNT, keyAddress: ACCOUNT, fault: null }]);
});
