import { inspect } from 'node:util';
import { payoutPayment, ticketCreate } from '@tranche/rules/transactions.ts';
import { describe, expect, test } from 'vitest';
import { decode, ECDSA, type Transaction, Wallet } from 'xrpl';
import { applyEnv } from '#lib/base/env.ts';
import { canSignFor } from '#lib/xrpl/keys.ts';
import { findSigner, type SigningAccount, signerFor, signOne } from '#lib/xrpl/signer.ts';
import { testEnv } from '../../support/env.ts';

/** The genesis account of every standalone ledger. */
const GENESIS = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
const SEED = 'snoPBrXtMeMyMHUVTgbuqAfg1SUTb';

/** The family of a regular key, and its address. */
const REGULAR_SEED = 'sEdTM1uX8pu2do5XvTnutH6HsouMaM2';
const REGULAR = 'rG31cLyErnqeVj2eomEjBZtq7PYaupGYzL';
const DISABLE_MASTER = 0x0010_0000;

const shown = (over: Partial<SigningAccount> = {}): SigningAccount => ({
  address: GENESIS,
  flags: 0,
  regularKey: null,
  signerList: null,
  ...over,
});

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
  applyEnv(testEnv({ SIGNING_KEYS: keys, XRPL_NETWORK_ID: String(networkId) }));

describe('the signer', () => {
  test('signs with the key of the account, and tells the hash', async () => {
    withKeys(`${GENESIS}=secp256k1:${SEED}`);
    const { hash, blob } = await signOne(await signerFor(shown(), null), { transaction: payment, candidate: null });
    expect(hash).toMatch(/^[0-9A-F]{64}$/);
    expect(decode(blob)).toMatchObject({ Account: GENESIS, Amount: '1', TxnSignature: expect.any(String) });
  });

  test.each(['secp256k1', 'ed25519'] as const)(
    'signs with %s the very bytes that the library signs',
    async (algorithm) => {
      const wallet = Wallet.fromSeed(SEED, { algorithm: ECDSA[algorithm] });
      const account = wallet.address;
      withKeys(`${account}=${algorithm}:${SEED}`);
      const signer = await signerFor(shown({ address: account }), null);
      const asset = { kind: 'iou', currency: 'USD', issuer: GENESIS, decimals: 6 } as const;
      const limits = { feeDrops: 12n, lastLedgerSequence: 20 };
      const owed = {
        account,
        destination: 'rPtC9Yp9ZVnExX5E38HQX9xPVX3gWbka94',
        destinationTag: 0,
        amount: 1_500_000n,
      };
      const transactions = [
        payoutPayment({ ...owed, asset: { kind: 'xrp' } }, { ...limits, ticket: 7 }),
        payoutPayment({ ...owed, asset }, { ...limits, ticket: 8 }),
        payoutPayment(
          { ...owed, asset: { kind: 'mpt', issuanceId: `00000001${'AB'.repeat(20)}`, decimals: 2 } },
          { ...limits, ticket: 9 },
        ),
        ticketCreate(account, 200, { ...limits, sequence: 5 }),
      ];
      const outcomes = await signer.sign(transactions.map((transaction) => ({ transaction, candidate: null })));
      expect(outcomes).toEqual(
        transactions.map((transaction) => {
          const { hash, tx_blob: blob } = wallet.sign(transaction);
          return { kind: 'signed', hash, blob };
        }),
      );
    },
  );

  test('what the library would not sign is not signed', async () => {
    withKeys(`${GENESIS}=secp256k1:${SEED}`);
    const signer = await signerFor(shown(), null);
    const transaction = { ...payment, Amount: '1.5' };
    expect(await signer.sign([{ transaction, candidate: null }])).toMatchObject([{ kind: 'unsignable' }]);
  });

  test('names the network only where the ledger wants it', async () => {
    for (const [networkId, field] of [
      [1024, undefined],
      [1025, 1025],
    ] as const) {
      withKeys(`${GENESIS}=secp256k1:${SEED}`, networkId);
      const { blob } = await signOne(await signerFor(shown(), null), { transaction: payment, candidate: null });
      expect(decode(blob).NetworkID).toBe(field);
    }
  });

  test.each([
    ['the wrong algorithm', `${GENESIS}=ed25519:${SEED}`],
    ['a seed with a typing error', `${GENESIS}=secp256k1:snoPBrXtMeMyMHUVTgbuqAfg1SUTc`],
  ])('a key that does not make its address (%s) is refused without showing the seed', async (_why, keys) => {
    withKeys(keys);
    const failure: unknown = await signerFor(shown(), null).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'service_unavailable' });
    expect(inspect(failure, { depth: 10 })).not.toContain('snoPB');
  });

  test('an account without a key cannot be signed for', async () => {
    withKeys('');
    expect(canSignFor(GENESIS)).toBe(false);
    await expect(signerFor(shown(), null)).rejects.toMatchObject({ detail: expect.stringContaining(GENESIS) });
  });
});

describe('a regular key', () => {
  test('signs for the account that names it on the ledger, also when the master key is disabled', async () => {
    withKeys(`${GENESIS}=ed25519:${REGULAR_SEED}`);
    for (const flags of [0, DISABLE_MASTER]) {
      const signer = await signerFor(shown({ regularKey: REGULAR, flags }), null);
      expect(signer).toMatchObject({ address: GENESIS, keyAddress: REGULAR });
      expect(decode((await signOne(signer, { transaction: payment, candidate: null })).blob)).toMatchObject({
        Account: GENESIS,
      });
    }
  });

  test('that the ledger no longer names, or never named, signs nothing', async () => {
    withKeys(`${GENESIS}=ed25519:${REGULAR_SEED}`);
    expect(await findSigner(shown(), null)).toBe('key_changed');
    expect(await findSigner(shown({ regularKey: 'rPtC9Yp9ZVnExX5E38HQX9xPVX3gWbka94' }), null)).toBe('key_changed');
    await expect(signerFor(shown(), null)).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  test('is not needed while the master key is enabled, and the only one when it is not', async () => {
    withKeys(`${GENESIS}=secp256k1:${SEED}`);
    expect(await findSigner(shown({ regularKey: REGULAR }), null)).toMatchObject({ keyAddress: GENESIS });
    expect(await findSigner(shown({ regularKey: REGULAR, flags: DISABLE_MASTER }), null)).toBe('key_disabled');
  });

  test('may stand beside the one it replaces: what the ledger takes is used', async () => {
    withKeys(`${GENESIS}=secp256k1:${SEED},${GENESIS}=ed25519:${REGULAR_SEED}`);
    expect(await findSigner(shown({ flags: DISABLE_MASTER, regularKey: REGULAR }), null)).toMatchObject({
      keyAddress: REGULAR,
    });
    expect(await findSigner(shown({ regularKey: REGULAR }), null)).toMatchObject({ keyAddress: GENESIS });
    expect(await findSigner(shown({ flags: DISABLE_MASTER }), null)).toBe('key_disabled');
  });
});
