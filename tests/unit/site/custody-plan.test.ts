import { expect, test } from 'vitest';
import { planOf, valuesOf } from '../../../app/(site)/operator/custody/plan.ts';

const ADDRESSES = [
  'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
  'rrrrrrrrrrrrrrrrrrrrrhoLvTp',
  'rrrrrrrrrrrrrrrrrrrrBZbvji',
  'rrrrrrrrrrrrrrrrrNAMEtxvNvQ',
  'rrrrrrrrrrrrrrrrrrrn5RM1rHd',
  'rf1BiGeXwwQoi8Z2ueFYTEXSwuJYfV2Jpn',
] as const;
const [deposit, distributor, platform, ...keys] = ADDRESSES;
const KNOWN = { set: null, witnesses: keys, platform: '' };

const GIVEN = {
  deposit,
  distributor,
  platform,
  platform_weight: '2',
  quorum: '4',
  witness_account: keys,
  witness_name: ['North', 'South', 'East'],
  witness_operator: ['N Ltd', 'S Ltd', 'E Ltd'],
  witness_weight: ['1', '1', '1'],
};
const faultsOf = (changed: Record<string, string | string[]>) =>
  planOf(valuesOf({ ...GIVEN, ...changed }, KNOWN).values).faults;

test('an address with every field makes a plan, and an empty page offers the witnesses that the app knows', () => {
  const { plan } = planOf(valuesOf(GIVEN, KNOWN).values);
  expect(plan?.set?.witnesses.map(({ account, name }) => [account, name])).toEqual([
    [keys[0], 'North'],
    [keys[1], 'South'],
    [keys[2], 'East'],
  ]);
  const empty = valuesOf({}, KNOWN);
  expect(empty.isSent).toBe(false);
  expect(empty.values.witnesses.map(({ account }) => account)).toEqual(keys);
});

test.each([
  ['a signer set in which the platform needs one witness only', { quorum: '3' }, 'set', 'without another witness'],
  ['a key that is one of the two accounts', { platform: deposit }, 'set', 'cannot sign for itself'],
  ['the same account twice', { distributor: deposit }, 'distributor', 'another account'],
  ['an address that is none', { witness_account: [keys[0], 'r1', keys[2]] }, 'witness_account.1', ''],
  ['a witness without a name', { witness_name: ['North', '', 'East'] }, 'witness_name.1', 'is needed'],
  ['a weight that is no whole number', { witness_weight: ['1', '1.5', '1'] }, 'witness_weight.1', 'whole number'],
])('%s makes no plan, and the field says why', (_, changed, field, says) => {
  expect(faultsOf(changed as Record<string, string | string[]>)?.[field]).toContain(says);
});

test('accounts are given back without a signer set', () => {
  const { plan } = planOf(valuesOf({ direction: 'take_down', deposit, distributor }, KNOWN).values);
  expect(plan).toEqual({ direction: 'take_down', deposit, distributor, set: null });
});
