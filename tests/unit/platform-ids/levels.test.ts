import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { balanceForLevel, levelOf } from '#lib/accounts/platform-ids/eligibility.ts';
import { applyEnv, parseEnv } from '#lib/base/env.ts';
import { testEnv } from '#tests/support/env.ts';

const given = (settings: Record<string, string>) => applyEnv(testEnv(settings));
beforeEach(() => given({}));
afterAll(() => given({}));

describe('a level', () => {
  test('is the highest whose balance is reached, exactly', () => {
    const cases: [string, string | null][] = [
      ['0.000000', null],
      ['0.000000000000000000000000000000000000000000000000000000000000000000000000000000001', 'holder'],
      ['0.999999999999999999999999', 'holder'],
      ['1.000000', 'bronze'],
      ['999.999999999999999', 'bronze'],
      ['1000', 'silver'],
      ['9007199254740993.000000', 'platinum'],
    ];
    for (const [balance, level] of cases) expect(levelOf(balance), balance).toBe(level);
  });

  test('is none below the smallest balance for a Platform ID, also above a level’s own', () => {
    given({ PLATFORM_ID_MIN_BALANCE: '500.5', PLATFORM_ID_LEVELS: 'a:100,b:1000' });
    expect(['100', '500.499999999', '500.5', '1000'].map(levelOf)).toEqual([null, null, 'a', 'b']);
    expect(['holder', 'a', 'b', 'c'].map(balanceForLevel)).toEqual(['500.5', '500.5', '1000', null]);
  });
});

describe('settings of levels', () => {
  test.each([
    ['gold:1000,silver:10', /PLATFORM_ID_LEVELS: must ascend/],
    ['silver:10,gold:10.000', /PLATFORM_ID_LEVELS: must ascend/],
    ['silver:0', /PLATFORM_ID_LEVELS: must ascend/],
    ['silver:10,silver:20', /PLATFORM_ID_LEVELS: names a level twice/],
    ['holder:10', /PLATFORM_ID_LEVELS: must not name holder/],
    ['Silver:10', /PLATFORM_ID_LEVELS\.0: must be name:balance/],
    ['bronze:1,silver', /PLATFORM_ID_LEVELS\.1: must be name:balance/],
    ['silver:1e3', /PLATFORM_ID_LEVELS\.0\.fromBalance: must be a plain decimal/],
    ['silver:-1', /PLATFORM_ID_LEVELS\.0\.fromBalance: must be a plain decimal/],
    ['silver:1,000', /PLATFORM_ID_LEVELS\.1: must be name:balance/],
  ])('%s is refused, and the error says why', (levels, message) => {
    expect(() => parseEnv(testEnv({ PLATFORM_ID_LEVELS: levels }))).toThrow(message);
  });

  test('a smallest balance is a plain decimal', () => {
    for (const balance of ['1e3', '-1', '.5', '1,5', 'NaN', '007']) {
      expect(() => parseEnv(testEnv({ PLATFORM_ID_MIN_BALANCE: balance }))).toThrow(/PLATFORM_ID_MIN_BALANCE/);
    }
    expect(parseEnv(testEnv({ PLATFORM_ID_MIN_BALANCE: '0.000000000000001' })).PLATFORM_ID_MIN_BALANCE).toBe(
      '0.000000000000001',
    );
  });
});
