import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { CLIENT_FILE } from '#tests/support/client/file.ts';
import { generateClient } from '#tests/support/client/generate.ts';

test('the typed client is the one that the OpenAPI document gives: npx tranche generate changes nothing', async () => {
  expect((await readFile(CLIENT_FILE, 'utf8')) === (await generateClient())).toBe(true);
});
