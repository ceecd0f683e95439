import { describe, expect, test } from 'vitest';
import { check } from '#lib/system/check.ts';
import { overallStatus } from '#lib/system/get-status.ts';
import { UNKNOWN_INVARIANTS } from '#lib/system/invariants.ts';
import { networkName } from '#lib/system/network-name.ts';
import { remember } from '#lib/system/single-flight.ts';

const up = { status: 'up', latency_ms: 1 } as const;
const down = { status: 'down', latency_ms: 1 } as const;
const allUp = { database: up, cache: up, ledger: up, queue: up };
const allHold = {
  balances: { status: 'ok' as const, accounts: [] },
  unknown_withdrawals: 0,
  foreign_transactions: 0,
  late_discoveries: 0,
  halted_accounts: 0,
  unfit_signing_keys: 0,
};

describe('the overall status', () => {
  test('is operational only while every part is up and ledgers close', () => {
    expect(overallStatus(allUp, 4, allHold)).toBe('operational');
    expect(overallStatus(allUp, 61, allHold)).toBe('degraded');
    expect(overallStatus(allUp, null, allHold)).toBe('degraded');
  });

  test.each(['cache', 'ledger', 'queue'])('is degraded while %s is away: payments are late, not lost', (part) => {
    expect(overallStatus({ ...allUp, [part]: down }, 4, allHold)).toBe('degraded');
  });

  test.each([
    ['the books do not explain a balance', { balances: { status: 'violated' as const, accounts: [] } }],
    ['XRP left by a transaction signed elsewhere', { unknown_withdrawals: 1 }],
    ['a payment was found too late', { late_discoveries: 1 }],
    ['an operator has halted an account', { halted_accounts: 1 }],
    ['a signing key is configured wrongly', { unfit_signing_keys: 1 }],
  ])('is degraded while %s', (_why, found) => {
    expect(overallStatus(allUp, 4, { ...allHold, ...found })).toBe('degraded');
  });

  test('is not changed by what nobody can tell, nor by a fee paid elsewhere', () => {
    expect(overallStatus(allUp, 4, UNKNOWN_INVARIANTS)).toBe('operational');
    expect(overallStatus(allUp, 4, { ...allHold, foreign_transactions: 1 })).toBe('operational');
  });

  test('is down without the database, whatever else works', () => {
    expect(overallStatus({ ...allUp, database: down }, 4, allHold)).toBe('down');
  });
});

describe('one check', () => {
  test('reports the value and that the part is up', async () => {
    expect(await check(1_000, async () => 7)).toMatchObject({ status: 'up', value: 7, failure: null });
  });

  test('reports a failure instead of throwing it', async () => {
    const failure = new Error('refused');
    expect(await check(1_000, () => Promise.reject(failure))).toMatchObject({ status: 'down', value: null, failure });
  });

  test('gives up on a part that never answers', async () => {
    expect(await check(20, () => new Promise(() => undefined))).toMatchObject({ status: 'down', value: null });
  });
});

describe('a remembered reading', () => {
  const counter = (keep: (value: number) => boolean) => {
    let runs = 0;
    const read = remember(2_000, keep, async () => {
      runs += 1;
      return runs;
    });
    return (nowMs: number) => read(undefined, nowMs);
  };

  test('is made once for a crowd that asks at the same time', async () => {
    const read = counter(() => true);
    expect(await Promise.all([read(0), read(0), read(0)])).toEqual([1, 1, 1]);
  });

  test('serves until it is too old', async () => {
    const read = counter(() => true);
    expect([await read(0), await read(1_999), await read(2_000)]).toEqual([1, 1, 2]);
  });

  test('is made again at once when it is not worth keeping', async () => {
    const read = counter(() => false);
    expect([await read(0), await read(1)]).toEqual([1, 2]);
  });

  test('is made again after it failed', async () => {
    let runs = 0;
    const read = remember(
      2_000,
      () => true,
      async () => {
        runs += 1;
        if (runs === 1) throw new Error('once');
        return runs;
      },
    );
    await expect(read(undefined, 0)).rejects.toThrow('once');
    expect(await read(undefined, 0)).toBe(2);
  });
});

test('a network without a name is called by its number', () => {
  expect([networkName(0), networkName(1), networkName(21337)]).toEqual(['mainnet', 'testnet', 'network-21337']);
});
