import { describe, expect, test } from 'vitest';
import type { XamanPayload } from '#lib/xaman/platform.ts';
import { stateOf } from '#lib/xaman/sign-request.ts';

const payload = (
  meta: Partial<XamanPayload['meta']>,
  response: Partial<XamanPayload['response']> = {},
): XamanPayload => ({
  meta: { resolved: false, signed: false, cancelled: false, expired: false, app_opened: false, ...meta },
  response: { account: null, txid: null, ...response },
});
const signed = { account: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', txid: 'A'.repeat(64) };

describe('what an answer of Xaman means', () => {
  test.each([
    ['nobody has opened it', payload({}), { state: 'waiting', askAgainMs: 3 }],
    ['it is open on a phone', payload({ app_opened: true }), { state: 'opened', askAgainMs: 3 }],
    ['its owner declined', payload({ resolved: true, app_opened: true }), { state: 'rejected' }],
    ['nobody opened it in time', payload({ expired: true }), { state: 'expired' }],
    ['it was taken back', payload({ cancelled: true, expired: true }), { state: 'expired' }],
    // Xaman lets who has opened it in time sign later.
    ['it was opened in time', payload({ expired: true, app_opened: true }), { state: 'opened', askAgainMs: 3 }],
    [
      'it was signed after its time',
      payload({ resolved: true, signed: true, expired: true }, { ...signed, dispatched_result: 'tesSUCCESS' }),
      { state: 'signed', wallet: signed.account, hash: signed.txid, result: 'tesSUCCESS' },
    ],
    [
      'it was signed and not sent, as an account that is shown',
      payload(
        { resolved: true, signed: true },
        { ...signed, dispatched_nodetype: '', environment_nodetype: '', dispatched_result: '' },
      ),
      { state: 'signed', wallet: signed.account, hash: signed.txid, result: null },
    ],
    [
      'it was signed on another network',
      payload({ resolved: true, signed: true }, { ...signed, dispatched_nodetype: 'TESTNET' }),
      { state: 'other_network' },
    ],
  ])('%s', (_, answer, expected) => {
    expect(stateOf(answer, 'MAINNET', 3)).toEqual(expected);
  });

  test('a signature without an account is an answer that cannot be read', () => {
    expect(() => stateOf(payload({ resolved: true, signed: true }), 'MAINNET', 3)).toThrow();
  });
});
