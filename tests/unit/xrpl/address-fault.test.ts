import { beforeAll, expect, test } from 'vitest';
import { applyEnv } from '#lib/base/env.ts';
import { parseAccountAddress } from '#lib/xrpl/address.ts';
import { testEnv } from '#tests/support/env.ts';

beforeAll(() => applyEnv(testEnv()));

const faultOf = (text: string) => {
  const parsed = parseAccountAddress(text);
  return 'fault' in parsed ? parsed.fault : null;
};

test.each([
  ['rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTi', /checksum does not fit, so a character is wrong or missing\. Copy it again/],
  ['XVLhHMPHU98es4dbozjVtdWzVrDjtV5fdx1mHp98tDMoQXa', /not a valid X-address: a character is wrong/],
  ['not an account', /starts with r and has 25 to 35/],
  ['', /starts with r and has 25 to 35/],
  ['my sEdTM1uX8pu2do5XvTnutH6HsouMaM2', /never paste a seed/i],
])('%j is refused with what to do about it', (text, fault) => {
  expect(faultOf(text)).toMatch(fault);
});

test('an address is taken although it holds the letters that a seed begins with', () => {
  expect(faultOf('rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh')).toBeNull();
});
