import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { decode, type Transaction } from 'xrpl';
import { canSignFor } from '#lib/ledger/keys.ts';
import { signerFor } from '#lib/ledger/signer.ts';
import { putInForce } from '#lib/platform/env.ts';
import { testEnv } from '../../support/env.ts';

/** The genesis account of every standalone ledger. */
const GENESIS = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
const SEED = 'snoPBrXtMeMyMHUVTgbuqAfg1SUTb';

const payment: Transaction = {
  TransactionType: 'Payment',
  Account: GENESIS,
  Destination: 'rPtC9Yp9ZVnExX5E38HQX9xPVX3gWbka94',
  Amount: '1',
  Fee: '10',
  Sequence: 1,
  LastLedgerSequence: 20,
};
const withKeys = (keys: string, networkId = 0) =>
  putInForce(testEnv({ SIGNING_KEYS: keys, XRPL_NETWORK_ID: String(networkId) }));

describe('the signer', () => {
  test('signs with the key of the account, and tells the hash', async () => {
    withKeys(`${GENESIS}=secp256k1:${SEED}`);
    const { hash, blob } = await (await signerFor(GENESIS)).sign(payment);
    expect(hash).toMatch(/^[0-9A-F]{64}$/);
    expect(decode(blob)).toMatchObject({ Account: GENESIS, Amount: '1', TxnSignature: expect.any(String) });
  });

  test('names the network only where the ledger wants it', async () => {
    for (const [networkId, field] of [
      [1024, undefined],
      [1025, 1025],
    ] as const) {
      withKeys(`${GENESIS}=secp256k1:${SEED}`, networkId);
      const { blob } = await (await signerFor(GENESIS)).sign(payment);
      expect(decode(blob).NetworkID).toBe(field);
    }
  });

  test.each([
    ['the wrong algorithm', `${GENESIS}=ed25519:${SEED}`],
    ['a seed with a typing error', `${GENESIS}=secp256k1:snoPBrXtMeMyMHUVTgbuqAfg1SUTc`],
  ])('a key that does not make its address (%s) is refused without showing the seed', async (_why, keys) => {
    withKeys(keys);
    const failure: unknown = await signerFor(GENESIS).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'service_unavailable' });
    expect(inspect(failure, { depth: 10 })).not.toContain('snoPB');
  });

  test('an account without a key cannot be signed for', async () => {
    withKeys('');
    expect(canSignFor(GENESIS)).toBe(false);
    await expect(signerFor(GENESIS)).rejects.toMatchObject({ detail: expect.stringContaining(GENESIS) });
  });
});
