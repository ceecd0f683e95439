import { describe, expect, test } from 'vitest';
import { check } from '#lib/ops/status/check.ts';
import { networkName } from '#lib/ops/status/get-status.ts';
import { remember } from '#lib/ops/status/single-flight.ts';

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

  test('leaves nothing behind when the part fails after it was given up', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', note);
    let failLate: (reason: Error) => void = () => undefined;
    const hanging = new Promise<never>((_, reject) => {
      failLate = reject;
    });
    expect(await check(5, () => hanging)).toMatchObject({ status: 'down' });
    failLate(new Error('too late'));
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
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

  test('is made again when the clock was set back', async () => {
    const read = counter(() => true);
    expect([await read(5_000), await read(4_999)]).toEqual([1, 2]);
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
