import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { putInForce } from '#lib/platform/env.ts';
import { testEnv } from '../../support/env.ts';

const xrplLoaded = (): boolean =>
  Object.keys(createRequire(import.meta.url).cache).some((file) => file.includes('/node_modules/xrpl/'));

test('the ledger library is loaded by the first call, not before', async () => {
  putInForce(testEnv());
  const { closeLedger, lazyLedger } = await import('#lib/ledger/lazy.ts');
  const { runPayouts } = await import('#lib/payouts/run-payouts.ts');
  const ledger = lazyLedger();
  expect(runPayouts).toBeTypeOf('function');
  expect(xrplLoaded()).toBe(false);
  await expect(ledger.serverState()).rejects.toMatchObject({ code: 'ledger_unavailable' });
  expect(xrplLoaded()).toBe(true);
  await closeLedger();
});
