import { createRequire } from 'node:module';
import { openLedger } from '#lib/xrpl/ledger.ts';

/** Asks one server for its state, and prints which packages and which parts of xrpl.js that has loaded. */
const [url = '', networkId = ''] = process.argv.slice(2);
const ledger = openLedger({ urls: [url], networkId: Number(networkId) });
const { validatedIndex } = await ledger.serverState();
await ledger.close();
const loaded = Object.keys(createRequire(import.meta.url).cache)
  .map((file) => /node_modules\/(xrpl\/.*|(?:@[^/]+\/)?[^/]+)/.exec(file)?.[1])
  .filter((name) => name !== undefined);
process.stdout.write(JSON.stringify({ validatedIndex, loaded: [...new Set(loaded)] }));
