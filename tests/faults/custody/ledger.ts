import { startLedger } from 'xrpl-sandbox/index.ts';
import { NETWORK_ID } from '#tests/integration/witness/world.ts';

/** The ledger's process: the server that all send to, and one more for each witness. */

const WITNESSES = 3;

const main = await startLedger({ networkId: NETWORK_ID });
const own = await Promise.all(
  Array.from({ length: WITNESSES }, () => startLedger({ peerOf: main, networkId: NETWORK_ID })),
);
process.once('disconnect', () => process.exit());
process.send?.([main, ...own].map(({ wsUrl }) => wsUrl));
