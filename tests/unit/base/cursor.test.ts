import { describe, expect, test } from 'vitest';
import { wholeNumber } from '#lib/base/cursor.ts';

const pageSize = wholeNumber({ min: 1, max: 200 });

describe('a whole number in a query', () => {
  test('is plain digits within its bounds', () => {
    expect(['1', '007', '200'].map((text) => pageSize.parse(text))).toEqual([1, 7, 200]);
    expect(wholeNumber({ min: 1 }).parse('9000000000')).toBe(9_000_000_000);
  });

  test.each(['', ' 1', '0', '201', '0x10', '1e2', '1.0', '+1', '-1', '٣', '99999999999999999999', 'ten'])(
    'is not %j, and the fault says what it must be',
    (text) => {
      expect(pageSize.safeParse(text).error?.issues.map(({ message }) => message)).toEqual([
        'must be a whole number from 1 to 200',
      ]);
    },
  );

  test('without an upper bound names the lower one', () => {
    expect(wholeNumber({ min: 1 }).safeParse('0x10').error?.issues[0]?.message).toBe(
      'must be a whole number of at least 1',
    );
  });
});
