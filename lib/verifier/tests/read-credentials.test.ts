import { expect, test } from 'vitest';
import { LedgerFault } from '../errors.ts';
import { readCredentials, readFirstCredentials } from '../read-credentials.ts';
import type { LedgerServer } from '../read-feed.ts';

/** Answers so many questions, holds no credential, and has too much to do from then on. */
function busyAfter(answers: number): LedgerServer {
  let left = answers;
  return {
    url: 'ws://busy',
    async request({ command }) {
      if (command === 'server_info') {
        return { info: { complete_ledgers: '2-120', network_id: 1, validated_ledger: { seq: 120, hash: 'F' } } };
      }
      left -= 1;
      throw left < 0
        ? new LedgerFault('slowDown', 'You are placing too much load on the server.')
        : new LedgerFault('entryNotFound', 'Entry not found.');
    },
  };
}

const questions = Array.from({ length: 256 }, (_, n) => ({
  ledgerIndex: 100,
  subject: `rSubject${n}`,
  issuer: 'rIssuer',
  credentialType: '4B5943',
}));

test('a server that has too much to do has still told what it told before, so that each run comes further', async () => {
  const read = await readFirstCredentials(busyAfter(200), questions);
  expect(read).toHaveLength(256);
  expect(read.filter((entry) => entry === null)).toHaveLength(200);
  expect(read.indexOf(undefined)).toBe(200);
});

test('a server that has too much to do from the first question on has failed', async () => {
  await expect(readFirstCredentials(busyAfter(0), questions)).rejects.toThrow('slowDown');
});

test('who asks for all is told that a part is missing', async () => {
  await expect(readCredentials(busyAfter(200), questions)).rejects.toThrow('slowDown');
});
