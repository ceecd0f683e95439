import { createRequire } from 'node:module';
import { applyEnv } from '#lib/base/env.ts';
import { runPayouts } from '#lib/payouts/run-payouts.ts';
import { closeLedger, lazyLedger } from '#lib/xrpl/lazy.ts';
import { testEnv } from '#tests/support/env.ts';

/** Writes, as JSON, what of the ledger library was loaded before and after the first call of a process. */
const { cache } = createRequire(import.meta.url);
const xrplLoaded = (): boolean => Object.keys(cache).some((file) => file.includes('/node_modules/xrpl/'));

applyEnv(testEnv());
const ledger = lazyLedger();
const before = xrplLoaded();
const refusal: unknown = await ledger.serverState().catch((error: { code: unknown }) => error.code);
process.stdout.write(JSON.stringify({ verb: typeof runPayouts, before, refusal, after: xrplLoaded() }));
await closeLedger();
