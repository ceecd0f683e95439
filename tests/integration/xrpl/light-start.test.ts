import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LedgerDesk, NETWORK_ID, openDesk } from './desk.ts';

let desk: LedgerDesk;

beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk?.end());

test('who only reads the ledger loads the connection of xrpl.js, not its transactions, codec and keys', async () => {
  const program = path.join(import.meta.dirname, 'what-loads.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [program, desk.ledger.wsUrl, String(NETWORK_ID)]);
  const { validatedIndex, loaded } = JSON.parse(stdout) as { validatedIndex: number; loaded: string[] };
  expect(validatedIndex).toBeGreaterThan(0);
  expect(loaded).toContain('xrpl/dist/npm/client/connection.js');
  expect(loaded).not.toContain('xrpl/dist/npm/index.js');
  expect(loaded).not.toContain('ripple-binary-codec');
  expect(loaded).not.toContain('ripple-keypairs');
});
