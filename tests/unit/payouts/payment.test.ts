import { payoutPayment } from '@tranche/rules/transactions.ts';
import { REFUND_SOURCE_TAG } from '@tranche/rules/types.ts';
import { describe, expect, test } from 'vitest';
import { Wallet } from 'xrpl';
import type { Payout } from '#lib/payouts/types.ts';

const DISTRIBUTOR = 'rKGYzL5k2YEKDvmSgnyAh13HoEJHaoZ1JK';
const ISSUER = 'rKK5xnBPXYwGqXWmG1QcCsE6sKLoFb3Trf';
const INVESTOR = 'rPtC9Yp9ZVnExX5E38HQX9xPVX3gWbka94';
const ISSUANCE = '00000005CCE82FD9E22E9C9B4BCF607C464A05CAC78E859B';

const payout = (over: Partial<Payout> = {}): Payout => ({
  id: 'pay_1',
  kind: 'distribution',
  projectId: 'proj_1',
  investmentId: 'inv_1',
  paymentPlace: null,
  part: 1,
  account: DISTRIBUTOR,
  destination: INVESTOR,
  destinationTag: null,
  amount: 250_500_000n,
  asset: { kind: 'iou', currency: 'USD', issuer: ISSUER, decimals: 6 },
  ...over,
});
const envelope = { feeDrops: 12n, ticket: 7, lastLedgerSequence: 120 };

describe('the transaction of a payout', () => {
  test('a distributor sends exactly what arrives, with a ticket and an end', () => {
    const value = { currency: 'USD', issuer: ISSUER, value: '250.5' };
    expect(payoutPayment(payout(), envelope)).toEqual({
      TransactionType: 'Payment',
      Account: DISTRIBUTOR,
      Destination: INVESTOR,
      Amount: value,
      SendMax: value,
      Fee: '12',
      Sequence: 0,
      TicketSequence: 7,
      LastLedgerSequence: 120,
    });
  });

  test('an issuer that distributes itself names no SendMax', () => {
    expect(payoutPayment(payout({ account: ISSUER }), envelope)).not.toHaveProperty('SendMax');
  });

  test('a refund carries its sender’s tag, also zero, and our reserved source tag', () => {
    const refund = payout({ kind: 'refund', asset: { kind: 'xrp' }, amount: 1_234_567n, destinationTag: 0 });
    expect(payoutPayment(refund, envelope)).toMatchObject({
      Amount: '1234567',
      DestinationTag: 0,
      SourceTag: REFUND_SOURCE_TAG,
    });
    expect(REFUND_SOURCE_TAG).toBeLessThanOrEqual(0xffff_ffff);
  });

  test('an MPT is paid in whole units', () => {
    const mpt = payout({ asset: { kind: 'mpt', issuanceId: ISSUANCE, decimals: 2 }, amount: 999n });
    expect(payoutPayment(mpt, envelope).Amount).toEqual({ mpt_issuance_id: ISSUANCE, value: '999' });
  });

  test('nothing is ever partial or routed, and every kind can be signed', () => {
    const wallet = Wallet.generate();
    for (const asset of [
      { kind: 'xrp' },
      { kind: 'iou', currency: 'USD', issuer: ISSUER, decimals: 6 },
      { kind: 'iou', currency: '524C555344000000000000000000000000000000', issuer: ISSUER, decimals: 0 },
      { kind: 'mpt', issuanceId: ISSUANCE, decimals: 2 },
    ] as const) {
      const transaction = payoutPayment(payout({ asset, account: wallet.address }), envelope);
      expect(transaction).not.toHaveProperty('Paths');
      expect(transaction).not.toHaveProperty('Flags');
      expect(wallet.sign(transaction).hash).toMatch(/^[0-9A-F]{64}$/);
    }
  });

  test.each([
    [10n ** 15n - 1n, 6, '999999999.999999'],
    [1n, 6, '0.000001'],
    [10n ** 15n, 0, '1000000000000000'],
    [500_000n, 6, '0.5'],
  ])('%i units with %i decimals are written as %s', (amount, decimals, value) => {
    const asset = { kind: 'iou', currency: 'USD', issuer: ISSUER, decimals } as const;
    expect(payoutPayment(payout({ amount, asset }), envelope).Amount).toMatchObject({ value });
  });
});
