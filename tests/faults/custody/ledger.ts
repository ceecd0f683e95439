import { startLedger } from 'xrpl-sandbox/index.ts';
import { NETWORK_ID } from '#tests/integration/witness/world.ts';

/** The ledger's process: the server that all send to, one for the first honest witness and two for the second. */

const OWN = 3;

const main = await startLedger({ networkId: NETWORK_ID });
const own = await Promise.all(Array.from({ length: OWN }, () => startLedger({ peerOf: main, networkId: NETWORK_ID })));
process.once('disconnect', () => process.exit());
process.send?.([main, ...own].map(({ wsUrl }) => wsUrl));
