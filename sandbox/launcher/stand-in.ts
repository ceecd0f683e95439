/**
 * The program of a child that is one stand-in: `stand-in.ts <name>`, its options as JSON in STAND_IN_OPTIONS (a command
 * line would show the tokens to every user of the machine). Tells the launcher its addresses when it listens.
 */

import type { startLedger } from 'xrpl-sandbox/index.ts';
import type { startQStash } from '../qstash/index.ts';
import type { startRedisRest } from '../redis/index.ts';
import type { startStandalone } from './standalone.ts';

const options: unknown = JSON.parse(process.env.STAND_IN_OPTIONS ?? '{}');
delete process.env.STAND_IN_OPTIONS;

const standIn = await open(process.argv[2] ?? '');
process.once('SIGTERM', () => Promise.resolve(standIn.close()).finally(() => process.exit(0)));
process.send?.(standIn.addresses);

/** Loads only the stand-in it opens: each is its own process to be light and apart from the others. */
async function open(name: string): Promise<{ addresses: Record<string, string>; close(): Promise<void> | void }> {
  switch (name) {
    case 'ledger': {
      const module = await import('xrpl-sandbox/index.ts');
      const ledger = await module.startLedger(options as Parameters<typeof startLedger>[0]);
      const { wsUrl, rpcUrl, faucetUrl } = ledger;
      return { addresses: { wsUrl, rpcUrl, faucetUrl }, close: () => ledger.close() };
    }
    case 'standalone': {
      const module = await import('./standalone.ts');
      return module.startStandalone(options as Parameters<typeof startStandalone>[0]);
    }
    case 'qstash': {
      const module = await import('../qstash/index.ts');
      const qstash = await module.startQStash(options as Parameters<typeof startQStash>[0]);
      return { addresses: { url: qstash.url }, close: () => qstash.close() };
    }
    case 'redis': {
      const module = await import('../redis/index.ts');
      const redis = await module.startRedisRest(options as Parameters<typeof startRedisRest>[0]);
      return { addresses: { url: redis.url }, close: () => redis.close() };
    }
    default:
      throw new Error(`There is no stand-in called '${name}'.`);
  }
}
