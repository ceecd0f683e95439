import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { classicAddressToXAddress } from 'ripple-address-codec';
import { generateSeed } from 'ripple-keypairs';
import { describe, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { CONTRACTS } from '#lib/api/contracts.ts';
import { call, expectProblem, fillPath } from '#tests/support/http.ts';

const GOOD = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
const seeds = [generateSeed(), generateSeed({ algorithm: 'ed25519' })];
const BAD: Readonly<Record<string, readonly string[]>> = {
  'a wrong checksum': [`${GOOD.slice(0, -1)}j`],
  'an X-address with a tag': [classicAddressToXAddress(GOOD, 7, true), classicAddressToXAddress(GOOD, 7, false)],
  'a seed': seeds,
  'anything else': ['0x52908400098527886E0F7030069857D2E4169EE7', 'r', '..', ' ', GOOD.toLowerCase()],
};

const takesWallet = (schema: z.ZodType | undefined) =>
  schema instanceof z.ZodObject && 'wallet_address' in schema.shape;

/** Every place where a public operation takes a wallet address, and how to put one there. */
const positions = CONTRACTS.filter((one) => one.access[0].kind === 'public').flatMap((contract) => {
  const { method } = contract;
  const send: [string, (address: string) => ReturnType<typeof call>][] = [];
  if (takesWallet(contract.params)) {
    send.push(['path', (address) => call(fillPath(contract.path, { wallet_address: address }), { method })]);
  }
  if (takesWallet(contract.query)) {
    send.push([
      'query',
      (address) => call(`${fillPath(contract.path)}?${new URLSearchParams({ wallet_address: address })}`, { method }),
    ]);
  }
  if (takesWallet(contract.body)) {
    send.push([
      'body',
      (address) => call(contract.path, { method, json: { wallet_address: address, message: 'hello' } }),
    ]);
  }
  return send.map(([part, put]) => [`${method} ${contract.path} in its ${part}`, part, put] as const);
});

describe.each(positions)('%s', (_, part, put) => {
  test.each(Object.entries(BAD))('refuses %s and does not repeat it', async (_what, addresses) => {
    for (const address of addresses) {
      // A dot segment in a path never reaches the route: the client itself resolves it.
      if (part === 'path' && address === '..') continue;
      const answer = await put(address);
      const problem = expectProblem(answer, 400, 'invalid_request');
      expect(problem.errors?.map(({ field }) => field)).toContain('wallet_address');
      if (address.length > 2) expect(answer.text).not.toContain(address);
    }
  });
});

test('a seed that was pasted anywhere occurs in no log of the sandbox', async () => {
  for (const seed of seeds) {
    await call(`/api/${seed}`);
    await call(`/api/system/status?${seed}=1`);
    await call('/api/api-keys/revoke', { json: { api_key: seed } });
    await call('/api/system/status', { token: seed });
    for (const [, , put] of positions) await put(seed);
  }
  const { logFolder, manifest } = inject('sandbox');
  const logs = globSync('**/*.log', { cwd: logFolder });
  expect(logs).toContain('app.log');
  const accounts = Object.values(manifest.accounts ?? {});
  for (const log of logs) {
    const text = readFileSync(path.join(logFolder, log), 'utf8');
    for (const seed of [...seeds, ...accounts.map((account) => account.seed)]) expect(text, log).not.toContain(seed);
  }
});
