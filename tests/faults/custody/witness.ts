import { startWitness, type WitnessOptions } from '@tranche/witness/server.ts';

/** The process of one witness: it is told its folder, key and settings, and tells where it answers. */

process.once('disconnect', () => process.exit());
process.once('message', async (options: WitnessOptions) => {
  const { url, token } = await startWitness(options);
  process.send?.({ url, token });
});
