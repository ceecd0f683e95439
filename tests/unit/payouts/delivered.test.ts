import type { Asset } from '@tranche/rules/transactions.ts';
import { expect, test } from 'vitest';
import { deliversExactly } from '#lib/payouts/attempts.ts';

const xrp: Asset = { kind: 'xrp' };
const iou: Asset = { kind: 'iou', currency: 'DMO', issuer: 'rIssuer', decimals: 6 };
const mpt: Asset = { kind: 'mpt', issuanceId: '00AB', decimals: 2 };
const issued = (value: string, currency = 'DMO', issuer = 'rIssuer') => ({ value, currency, issuer });

test.each<[Asset, bigint, unknown, boolean]>([
  [xrp, 5_000_000n, '5000000', true],
  [xrp, 5_000_000n, '5000001', false],
  [xrp, 5_000_000n, 'unavailable', false],
  [xrp, 5_000_000n, issued('5'), false],
  [xrp, 5_000_000n, undefined, false],
  [iou, 5_000_000n, issued('5'), true],
  [iou, 5_000_000n, issued('5000000000000000e-15'), true],
  [iou, 5_000_000n, issued('5.0000001'), false],
  [iou, 5_000_000n, issued('4.999999999999999'), false],
  [iou, 5_000_000n, issued('5', 'DMX'), false],
  [iou, 5_000_000n, issued('5', 'DMO', 'rAnother'), false],
  [iou, 5_000_000n, '5000000', false],
  [mpt, 500n, { mpt_issuance_id: '00AB', value: '500' }, true],
  [mpt, 500n, { mpt_issuance_id: '00AB', value: '495' }, false],
  [mpt, 500n, { mpt_issuance_id: '00AC', value: '500' }, false],
])('%o of %s is paid by %o exactly: %s', (asset, amount, delivered, expected) => {
  expect(deliversExactly({ asset, amount }, delivered)).toBe(expected);
});
