import { classicAddressToXAddress } from 'ripple-address-codec';
import { beforeAll, describe, expect, it } from 'vitest';
import { applyEnv } from '#lib/base/env.ts';
import type { PlatformError } from '#lib/base/errors.ts';
import { checkEntries } from '#lib/sales/lists/add-entries.ts';
import type { EntryInput } from '#lib/sales/lists/contracts.ts';
import { testEnv } from '#tests/support/env.ts';

const ANNA = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
const BERT = 'rrrrrrrrrrrrrrrrrrrrrhoLvTp';

beforeAll(() => applyEnv(testEnv()));

const faultsOf = (entries: readonly EntryInput[]) => {
  try {
    checkEntries(entries);
    return [];
  } catch (error) {
    return (error as PlatformError).errors;
  }
};

describe('the entries of a part', () => {
  it('are read as canonical addresses and drops; without a cap there is no limit', () => {
    expect(
      checkEntries([
        { wallet_address: classicAddressToXAddress(ANNA, false, true), cap_xrp: '12.5' },
        { wallet_address: BERT },
      ]),
    ).toEqual([
      { walletAddress: ANNA, capDrops: 12_500_000n },
      { walletAddress: BERT, capDrops: null },
    ]);
  });

  it('name a wallet that is given twice, also in two forms of its address', () => {
    const entries = [{ wallet_address: ANNA }, { wallet_address: classicAddressToXAddress(ANNA, false, true) }];
    expect(faultsOf(entries)).toEqual([
      { field: 'entries[1].wallet_address', message: 'is the same wallet as entries[0]' },
    ]);
  });

  it.each([
    ['an X-address with a tag', classicAddressToXAddress(ANNA, 7, true)],
    ['an X-address of another network', classicAddressToXAddress(ANNA, false, false)],
    ['a wrong checksum', `${ANNA.slice(0, -1)}j`],
    ['a seed', 'sEdTM1uX8pu2do5XvTnutH6HsouMaM2'],
    ['nothing', ''],
  ])('name the place of %s and do not repeat it', (_, wallet_address) => {
    const [fault, ...others] = faultsOf([{ wallet_address: BERT }, { wallet_address }]);
    expect(others).toEqual([]);
    expect(fault?.field).toBe('entries[1].wallet_address');
    if (wallet_address !== '') expect(fault?.message).not.toContain(wallet_address);
  });

  it.each(['0', '0.000000', '-1', '1.0000001', '100000000001', '1e3', '', ' 1'])(
    'name the place of the cap %j',
    (cap_xrp) => {
      expect(faultsOf([{ wallet_address: ANNA, cap_xrp }]).map(({ field }) => field)).toEqual(['entries[0].cap_xrp']);
    },
  );

  it('tell the first 20 faults of any number', () => {
    const faults = faultsOf(Array.from({ length: 1_000 }, () => ({ wallet_address: 'x', cap_xrp: '0' })));
    expect(faults).toHaveLength(20);
    expect(faults.at(-1)?.field).toBe('entries[9].cap_xrp');
  });
});
