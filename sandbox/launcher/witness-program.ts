import { readFileSync } from 'node:fs';
import path from 'node:path';
import { findKey } from '@tranche/witness/commands.ts';
import { parseConfig } from '@tranche/witness/config.ts';
import { startWitness } from '@tranche/witness/server.ts';
import { z } from 'zod';

/** The program of the witnesses' process. Each has a folder as `tranche witness init` makes it, and ledger connections of its own. */

const READ_WITHIN_MS = 30_000;

const folders = z.array(z.string()).parse(JSON.parse(process.env.WITNESS_FOLDERS ?? '[]'));

const running = await Promise.all(
  folders.map((folder) =>
    startWitness({
      folder,
      key: findKey(folder),
      settings: parseConfig(JSON.parse(readFileSync(path.join(folder, 'witness.json'), 'utf8'))),
    }),
  ),
);
process.once(
  'SIGTERM',
  () => void Promise.all(running.map((witness) => witness.stop())).finally(() => process.exit(0)),
);
process.on('message', async ({ approve }: { approve: string }) => {
  for (const witness of running) witness.approve(approve);
  // Until it has read the ledger for the sale, a witness is behind it, and no launch is let through.
  await Promise.all(running.map(({ witness }) => witness.readFresh(READ_WITHIN_MS)));
  process.send?.({ approved: true });
});
process.send?.(running.map(({ url, key }) => ({ url, key })));
