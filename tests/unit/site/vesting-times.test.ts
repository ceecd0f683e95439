import { describe, expect, test } from 'vitest';
import { countedFrom, ownParts } from '../../../app/(site)/sales/[slug]/vesting-times.ts';

const NOW = Date.parse('2026-11-24T00:00:00Z');
const END = '2026-12-01T00:00:00.000Z';
const ENDED = '2026-11-20T00:00:00.000Z';

describe('what the parts are counted from', () => {
  test.each([
    ['a payment today while the sale runs', 'immediate', 'live', { ends_at: END, ended_at: null }, NOW],
    ['no known time once nobody can pay', 'immediate', 'ended', { ends_at: END, ended_at: ENDED }, null],
    ['the end that is set', 'at_end', 'live', { ends_at: END, ended_at: null }, Date.parse(END)],
    ['the end that was, also an earlier one', 'at_end', 'ended', { ends_at: END, ended_at: ENDED }, Date.parse(ENDED)],
    ['no known time while no end is set', 'at_end', 'live', { ends_at: null, ended_at: null }, null],
  ] as const)('is %s', (_, distribution, state, dates, expected) => {
    expect(countedFrom({ distribution, ...dates }, state, NOW).baseMs).toBe(expected);
  });
});

test('what is sent to a wallet is one line for each day, with the exact sum, and arrived when all of it has', () => {
  const payout = (due_at: string, tokens: string, status: string) => ({ due_at, tokens, status }) as never;
  const parts = ownParts(
    [
      { payouts: [payout(ENDED, '1.000001', 'validated'), payout(END, '2.000000', 'scheduled')] },
      {
        payouts: [
          payout(ENDED, '0.000002', 'validated'),
          payout('2026-12-01T10:00:00.000Z', '0.500000', 'scheduled'),
          payout(END, '9.000000', 'cancelled'),
        ],
      },
      { payouts: [payout('2026-11-23T00:00:00.000Z', '3.000000', 'waiting_holder')] },
    ],
    NOW,
  );
  expect(parts).toEqual([
    { dueAt: ENDED, tokens: '1.000003', state: 'arrived' },
    { dueAt: '2026-11-23T00:00:00.000Z', tokens: '3.000000', state: 'waits' },
    { dueAt: END, tokens: '2.500000', state: 'due' },
  ]);
});
