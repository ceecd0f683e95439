import { startWitness } from '@tranche/witness/server.ts';
import { z } from 'zod';

/** The program of the witnesses' process: each has a key, a folder and ledger connections of its own. */

const options = z
  .object({
    ledgerUrl: z.string(),
    networkId: z.int(),
    witnesses: z.array(
      z.object({ name: z.string(), seed: z.string(), tokenSha256: z.string(), folder: z.string(), port: z.int() }),
    ),
  })
  .parse(JSON.parse(process.env.WITNESS_OPTIONS ?? '{}'));
delete process.env.WITNESS_OPTIONS;

const running = await Promise.all(
  options.witnesses.map(({ name, seed, tokenSha256, folder, port }) =>
    startWitness({
      folder,
      seed,
      settings: {
        name,
        network_id: options.networkId,
        ledger: [options.ledgerUrl],
        one_server: true,
        tokens_sha256: [tokenSha256],
        listen: { host: '127.0.0.1', port },
      },
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
