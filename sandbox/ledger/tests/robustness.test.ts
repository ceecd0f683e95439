import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { GENESIS_ADDRESS, type SandboxLedger, startLedger } from '../index.ts';

let ledger: SandboxLedger;
beforeAll(async () => {
  ledger = await startLedger({ intervalMs: 0 });
});
afterAll(() => ledger.close());

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

/** Sends one text on a connection of its own and returns the answer. */
async function answerTo(text: string): Promise<Record<string, unknown>> {
  const socket = new WebSocket(ledger.wsUrl);
  try {
    await once(socket, 'open');
    socket.send(text);
    const [data] = (await once(socket, 'message')) as [Buffer];
    return JSON.parse(data.toString()) as Record<string, unknown>;
  } finally {
    socket.terminate();
  }
}

async function post(body: string): Promise<{ status: number; text: string }> {
  const response = await fetch(ledger.rpcUrl, { method: 'POST', body });
  return { status: response.status, text: await response.text() };
}

describe('what nests too deep is refused as no JSON, and the server lives on', () => {
  const transaction = (field: string, levels: number): string =>
    `{"TransactionType":"AccountSet","Account":"${GENESIS_ADDRESS}","${field}":${nested(levels)}}`;
  const requests: [string, string][] = [
    ['beside the command', `{"command":"ping","x":${nested(5000)}}`],
    ['as the id', `{"command":"ping","id":${nested(5000)}}`],
    ['in tx_json', `{"command":"submit","secret":"x","tx_json":${transaction('x', 5000)}}`],
    ['in the memos', `{"command":"simulate","tx_json":${transaction('Memos', 5000)}}`],
    ['in objects', `{"command":"ping","x":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`],
    ['one level below the limit', `{"command":"ping","x":${nested(26)}}`],
  ];
  test.each(requests)('%s, over the WebSocket', async (_where, text) => {
    expect(await answerTo(text)).toEqual({ type: 'error', error: 'jsonInvalid', value: text });
    expect(await answerTo('{"command":"ping"}')).toMatchObject({ status: 'success' });
  });

  test.each(requests)('%s, over JSON-RPC', async (_where, text) => {
    const { command, ...params } = { command: /"command":"(\w+)"/.exec(text)?.[1], rest: text };
    const answer = await post(`{"method":"${command}","params":[${params.rest}]}`);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('Syntax error: maximum nesting depth exceeded');
    expect((await post('{"method":"ping"}')).status).toBe(200);
  });

  test('as objects within objects of a blob', async () => {
    const memo = 'EA';
    // As deep as the stack would let them be read, and deeper.
    for (const levels of [21, 3_000, 5_000, 50_000]) {
      const blob = `12000322000000002400000001${memo.repeat(levels)}`;
      expect(await answerTo(`{"command":"submit","tx_blob":"${blob}"}`)).toMatchObject({
        status: 'error',
        error: 'invalidTransaction',
        error_exception: 'Maximum nesting depth of STVar exceeded',
      });
    }
  });

  test('as deep as the server reads is read', async () => {
    expect(await answerTo(`{"command":"ping","x":${nested(25)}}`)).toMatchObject({ status: 'success' });
  });
});

describe('JSON is read as the server reads it', () => {
  test.each([
    '/*c*/{"command":"ping"}',
    '{"command":"ping" // c\n}',
    '{"command":"ping"}{"command":"nonsense"}',
    '{"command":"ping","x":007}',
    '{"command":"ping","x":1e400}',
    '{"command":"ping","x":[1 /* c */, 2]}',
    '{"command":"ping","x":"\t"}',
    '{"command":"\\u0070ing"}',
    '{"command":"ping\\u0000pong"}',
  ])('%s is a ping', async (text) => {
    expect(await answerTo(text)).toMatchObject({ status: 'success', result: { role: 'admin' } });
  });

  test.each([
    '',
    '[]',
    'null',
    '5',
    '"ping"',
    '{"command":"ping"',
    '{"command":"ping",}',
    '{"command":"ping","x":[1,]}',
    '{"command":"ping","x":[/**/]}',
    '{"command":"ping","command":"ping"}',
    "{'command':'ping'}",
    '{"command":"ping","x":4294967296}',
    '{"command":"ping","x":-2147483649}',
    '{"command":"ping","x":--1}',
    '{"command":"ping","x":1e}',
    '{"command":"ping","x":"\\x41"}',
    '{"command":"ping","x":"\\ud800"}',
    '{"command":"ping","x":"\\u12g4"}',
    '{"command":"ping","x":nul}',
    '{"command":"ping" /* no end',
  ])('%s is no JSON', async (text) => {
    expect(await answerTo(text)).toEqual({ type: 'error', error: 'jsonInvalid', value: text });
  });

  test('a whole number spelled with a point is no integer', async () => {
    expect(await answerTo('{"command":"ping","api_version":1.0}')).toMatchObject({ error: 'invalid_API_version' });
  });

  test('over JSON-RPC the refusal says where reading stopped', async () => {
    expect(await post('{"method":"ping",\n "x":[1 2]}')).toEqual({
      status: 400,
      text: "Unable to parse request: * Line 2, Column 9\n  Missing ',' or ']' in array declaration\n\r\n",
    });
  });
});
