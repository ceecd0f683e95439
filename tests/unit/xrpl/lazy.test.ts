import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('the ledger library is loaded by the first call, not before', async () => {
  // A process of its own: what other tests loaded stays loaded in theirs.
  const program = fileURLToPath(new URL('./first-call.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program]);
  expect(JSON.parse(stdout)).toEqual({
    verb: 'function',
    before: false,
    refusal: 'ledger_unavailable',
    after: true,
  });
}, 30_000);
