import { expect, test } from 'vitest';
import { patched, SABOTAGES } from '#tests/faults/sabotage.ts';

test.each(Object.entries(SABOTAGES))('the sabotage %s breaks the code of today', async (_, patches) => {
  for (const patch of patches) expect(await patched(patch.file, [patch])).toContain(patch.by);
});
