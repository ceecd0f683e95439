import { readFileSync } from 'node:fs';
import path from 'node:path';
import { findKey } from '@tranche/witness/commands.ts';
import { parseConfig } from '@tranche/witness/config.ts';
import { startWitness } from '@tranche/witness/server.ts';
import { z } from 'zod';

/** The program of the witnesses' process. Each has a folder as `tranche witness init` makes it, and ledger connections of its own. */

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
process.on('message', (message: { approve: string }) => {
  for (const witness of running) witness.approve(message.approve);
  process.send?.({ approved: true });
});
process.send?.(running.map(({ url, key }) => ({ url, key })));
