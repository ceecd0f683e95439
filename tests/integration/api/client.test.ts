import { readFile } from 'node:fs/promises';
import * as client from '@tranche/client/index.ts';
import { expect, test } from 'vitest';
import { CONTRACTS } from '#lib/api/contracts.ts';
import { CLIENT_FILE } from '#tests/support/client/file.ts';
import { generateClient } from '#tests/support/client/generate.ts';
import { MODELS_FILE, modelsDigest, OPERATIONS_FILE, pythonOperations } from '#tests/support/client/python.ts';

test('the typed client is the one that the OpenAPI document gives: npx tranche generate changes nothing', async () => {
  expect((await readFile(CLIENT_FILE, 'utf8')) === (await generateClient())).toBe(true);
});

test('the operations and models of the Python client are of the OpenAPI document: lib/client-python/generate changes nothing', async () => {
  expect((await readFile(OPERATIONS_FILE, 'utf8')) === pythonOperations()).toBe(true);
  expect(await readFile(MODELS_FILE, 'utf8')).toContain(modelsDigest());
});

test('the client sends an Idempotency-Key with a POST just where the platform takes one', async () => {
  const posts = CONTRACTS.filter(({ id, method }) => method === 'POST' && Reflect.has(client, id));
  const sent: [string, boolean][] = [];
  for (const { id, path } of posts) {
    const answer: typeof fetch = async (input) => {
      sent.push([id, new Request(input).headers.has('idempotency-key')]);
      return Response.json({});
    };
    const tranche = client.connect({ baseUrl: 'https://tranche.example', apiKey: 'key', fetch: answer });
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, 'one_1']);
    await Reflect.get(client, id)({ ...Object.fromEntries(names), body: {} }, tranche);
  }
  expect(sent).toEqual(posts.map(({ id, idempotent }) => [id, idempotent === true]));
  expect(posts.length).toBeGreaterThan(40);
});
