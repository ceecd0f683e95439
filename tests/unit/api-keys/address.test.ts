import { classicAddressToXAddress } from 'ripple-address-codec';
import { beforeEach, describe, expect, test } from 'vitest';
import { applyEnv } from '#lib/base/env.ts';
import { accountAddress } from '#lib/xrpl/address.ts';
import { testEnv } from '#tests/support/env.ts';

const CLASSIC = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';

beforeEach(() => applyEnv(testEnv({ XRPL_NETWORK_ID: '0' })));

const faultOf = (text: string) => accountAddress.safeParse(text).error?.issues[0]?.message;

describe('an account address', () => {
  test('is taken in its classic form', () => {
    expect(accountAddress.parse(CLASSIC)).toBe(CLASSIC);
  });

  test.each([
    '',
    'r',
    'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTi',
    `${CLASSIC} `,
    CLASSIC.toLowerCase(),
    `0x${'a'.repeat(40)}`,
  ])('with a typing fault is refused: %j', (text) => {
    expect(accountAddress.safeParse(text).success).toBe(false);
  });

  test('is taken as an X-address of this network without a tag, and becomes classic', () => {
    expect(accountAddress.parse(classicAddressToXAddress(CLASSIC, false, false))).toBe(CLASSIC);
    applyEnv(testEnv({ XRPL_NETWORK_ID: '1' }));
    expect(accountAddress.parse(classicAddressToXAddress(CLASSIC, false, true))).toBe(CLASSIC);
  });

  test('as an X-address with a tag, of another network, or broken is refused with the reason', () => {
    expect(faultOf(classicAddressToXAddress(CLASSIC, 7, false))).toMatch(/destination tag/);
    expect(faultOf(classicAddressToXAddress(CLASSIC, 0, false))).toMatch(/destination tag/);
    expect(faultOf(classicAddressToXAddress(CLASSIC, false, true))).toMatch(/another network/);
    expect(faultOf(`${classicAddressToXAddress(CLASSIC, false, false).slice(0, -1)}1`)).toMatch(
      /not a valid X-address/,
    );
  });

  test.each(['sEdTM1uX8pu2do5XvTnutH6HsouMaM2', 'snoPBrXtMeMyMHUVTgbuqAfg1SUTb', ' snoPBrXtMeMyMHUVTgbuqAfg1SUTb '])(
    'that is a pasted seed is refused with a warning that does not repeat it',
    (seed) => {
      const { error } = accountAddress.safeParse(seed);
      expect(error?.message).toMatch(/never paste a seed/i);
      expect(JSON.stringify(error?.issues)).not.toContain(seed.trim());
    },
  );
});
