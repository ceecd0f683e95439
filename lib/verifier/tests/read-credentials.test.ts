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

/** Answers so many questions, and the others never. */
function silentAfter(answers: number): LedgerServer & { asked: () => number } {
  const busy = busyAfter(answers);
  let asked = 0;
  return {
    url: 'ws://silent',
    asked: () => asked,
    async request(command) {
      if (command.command === 'server_info') return busy.request(command);
      asked += 1;
      return asked > answers ? new Promise(() => undefined) : busy.request(command);
    },
  };
}

/** Finds no credential, and says in which ledger. */
function notFoundIn(ledgerIndex: number | null): LedgerServer {
  return {
    url: 'ws://one',
    async request(command) {
      if (command.command === 'server_info') return busyAfter(0).request(command);
      throw new LedgerFault('entryNotFound', 'Entry not found.', ledgerIndex);
    },
  };
}

const SOON_MS = 50;

test('a server that stops to answer has told what it told in time, and is asked nothing more', async () => {
  const server = silentAfter(100);
  const { read, trouble } = await readFirstCredentials(server, questions, SOON_MS);
  expect(read).toHaveLength(256);
  expect(read.filter((entry) => entry === null)).toHaveLength(100);
  expect(server.asked()).toBeLessThan(112);
  expect(String(trouble)).toContain('in time');
});

const NOTHING = questions.map(() => undefined);

test.each([
  ['has nothing to tell in time', silentAfter(0), 'in time'],
  ['has too much to do from the first question on', busyAfter(0), 'slowDown'],
  ['looks into another ledger', notFoundIn(101), 'another ledger'],
])('a server that %s has told none, and does not count as one that cannot be reached', async (_, server, why) => {
  const { read, trouble } = await readFirstCredentials(server, questions, SOON_MS);
  expect(read).toEqual(NOTHING);
  expect(String(trouble)).toContain(why);
});

test('a server that cannot be reached has failed', async () => {
  const gone: LedgerServer = { url: 'ws://gone', request: () => Promise.reject(new Error('the connection broke')) };
  await expect(readFirstCredentials(gone, questions, SOON_MS)).rejects.toThrow('the connection broke');
});

test.each([100, null])(
  'that a ledger holds no credential is taken from a server that looked into ledger %s',
  async (ledgerIndex) => {
    expect(await readCredentials(notFoundIn(ledgerIndex), questions.slice(0, 1))).toEqual([null]);
  },
);

test('that another ledger than the one asked for holds no credential says nothing', async () => {
  await expect(readCredentials(notFoundIn(101), questions.slice(0, 1))).rejects.toThrow('another ledger');
});

test('a server that has too much to do has still told what it told before, so that each run comes further', async () => {
  const { read } = await readFirstCredentials(busyAfter(200), questions, 60_000);
  expect(read).toHaveLength(256);
  expect(read.filter((entry) => entry === null)).toHaveLength(200);
  expect(read.indexOf(undefined)).toBe(200);
});

test('who asks for all is told that a part is missing', async () => {
  await expect(readCredentials(busyAfter(200), questions)).rejects.toThrow('slowDown');
});
