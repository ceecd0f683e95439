import { expect, test } from 'vitest';
import { paymentUri, walletLink } from '../../../app/(site)/sales/[slug]/wallet-links.ts';

const TO = { deposit_address: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', destination_tag: 77 };
const [MAIN_NET, TEST_NET] = [0, 1];

test('a payment link names the main network on the main network alone: elsewhere it would ask for real XRP', () => {
  expect(paymentUri(TO, '12.5', MAIN_NET)).toBe(`xrpl://${TO.deposit_address}?network=XRPL&dt=77&amount=12.5`);
  expect(paymentUri(TO, '12.5', TEST_NET)).toBe(`xrpl://${TO.deposit_address}?dt=77&amount=12.5`);
  expect(walletLink(TO, '12.5')).toContain('network=XRPL');
});
