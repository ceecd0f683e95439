import { startWitness, type WitnessOptions } from '@tranche/witness/server.ts';
import { setClockOffset } from '#tests/faults/clock-offset.ts';

/** The process of one witness: it is told its folder, key and settings, tells where it answers, and is told the time then. */

process.once('disconnect', () => process.exit());
process.once('message', async (options: WitnessOptions) => {
  const { url, token } = await startWitness(options);
  process.on('message', (clock: { offsetMs: number }) => setClockOffset(clock.offsetMs));
  process.send?.({ url, token });
});
