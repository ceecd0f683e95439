import { describe, expect, test } from 'vitest';
import { check } from '#lib/ops/status/check.ts';
import { networkName } from '#lib/ops/status/get-status.ts';

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

  test('does not count against a part the time in which this process stood still', async () => {
    const answered = check(200, async () => {
      // Each needs another turn of the loop, as a connection, a request and its answer do.
      for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      return 7;
    });
    const until = performance.now() + 400;
    while (performance.now() < until);
    expect(await answered).toMatchObject({ status: 'up', value: 7 });
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

test('a network without a name is called by its number', () => {
  expect([networkName(0), networkName(1), networkName(21337)]).toEqual(['mainnet', 'testnet', 'network-21337']);
});
