import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ECDSA, Wallet } from 'xrpl';
import { authenticateApiKey } from '#lib/accounts/api-keys/authenticate-api-key.ts';
import { createKey, type KeyOptions } from '#lib/accounts/api-keys/key-command.ts';
import { serveRoutes } from '#tests/integration/webhooks/callbacks.ts';
import { openStage, type Stage } from './stage.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const COMMAND = [path.join(ROOT, 'lib/cli/tranche.cjs'), 'key'];

let stage: Stage;
let routes: Awaited<ReturnType<typeof serveRoutes>>;
let baseUrl: string;
/** Inside the repository, so that what the guide imports is found. */
let folder: string;

beforeAll(async () => {
  [stage, routes, folder] = await Promise.all([
    openStage(),
    serveRoutes({
      '/api/api-keys/challenge': () => import('../../../app/api/api-keys/challenge/route.ts'),
      '/api/api-keys/create': () => import('../../../app/api/api-keys/create/route.ts'),
    }),
    mkdtemp(path.join(import.meta.dirname, '.guide-')),
  ]);
  baseUrl = `http://127.0.0.1:${routes.port}`;
  // No proxy tells callers apart here.
  stage.set({ BASE_URL: baseUrl, RATE_LIMIT_SCALE: '100' });
});
afterAll(async () => {
  await routes.close();
  await stage.end();
  await rm(folder, { recursive: true, force: true });
});

const { PATH = '', NODE_COMPILE_CACHE = '', NODE_ENV } = process.env;
const KEPT = { PATH, NODE_COMPILE_CACHE, NODE_ENV };

/** Neither settings nor a database: this is all that the command and the guide’s program get. */
async function run(args: string[], env: Record<string, string> = {}) {
  const options = { cwd: folder, env: { ...KEPT, ...env } };
  return promisify(execFile)(process.execPath, args, options).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
  );
}

async function seedFile(wallet: Wallet, mode = 0o600): Promise<string> {
  const file = path.join(folder, `${wallet.address}.txt`);
  await writeFile(file, `${wallet.seed}\n`);
  await chmod(file, mode);
  return file;
}

const expectKeyOf = async (stdout: string, wallet: Wallet, scopes = ['webhooks:read', 'webhooks:write']) => {
  expect(stdout).toMatch(/^tr_test_[0-9A-Za-z]{38}\n$/);
  expect(await authenticateApiKey(stage.ctx, stdout.trim())).toMatchObject({
    walletAddress: wallet.address,
    walletVerified: true,
    scopes,
  });
};

test('the guide’s program with xrpl.js makes a key of the wallet’s own', async () => {
  const guide = await readFile(path.join(ROOT, 'docs/access.md'), 'utf8');
  const [, program] = /^```js proof\.mjs\n(.*?)^```$/ms.exec(guide) ?? [];
  await writeFile(path.join(folder, 'proof.mjs'), program ?? '');
  const wallet = Wallet.generate();
  const made = await run(['proof.mjs'], { BASE_URL: baseUrl, SEED_FILE: await seedFile(wallet) });
  expect(made).toMatchObject({ code: 0, stderr: '' });
  await expectKeyOf(made.stdout, wallet);
});

/** The command in this process, its two outputs apart. */
async function keyHere(options: KeyOptions) {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await createKey(options, { out: (text) => out.push(text), err: (text) => err.push(text) });
  return { code, out, err: err.join('\n') };
}

describe('npx tranche key', () => {
  test('makes a key from a seed file and prints it alone, without settings; warns of a file that others may read', async () => {
    const [[wallet], regular] = [await stage.desk.accounts(1), Wallet.generate()];
    await stage.desk.send(wallet!, {
      TransactionType: 'SetRegularKey',
      Account: wallet!.address,
      RegularKey: regular.address,
    });
    stage.desk.close();
    const file = await seedFile(regular, 0o644);
    const given = [
      '--address',
      wallet!.address,
      '--scopes',
      'webhooks:read',
      '--expires-in-days',
      '30',
      '--name',
      'One',
    ];
    const made = await run([...COMMAND, '--base-url', baseUrl, '--seed-file', file, ...given]);
    expect(made.stderr.split('\n')).toEqual([
      `Warning: others may read ${file}. Run: chmod 600 ${file}`,
      `Wallet ${wallet!.address}, key ${regular.address}`,
      expect.stringMatching(/^Made key_\w{22}, good until 20.*Store the key now: it is not shown again\.$/),
      '',
    ]);
    await expectKeyOf(made.stdout, wallet!, ['webhooks:read']);
  });

  test('takes the algorithm from the seed’s form, or as it is told', async () => {
    const [secp256k1, ed25519] = [Wallet.generate(ECDSA.secp256k1), Wallet.generate(ECDSA.ed25519)];
    for (const wallet of [secp256k1, ed25519]) {
      const made = await keyHere({ baseUrl: baseUrl, seedFile: await seedFile(wallet) });
      expect(made.err).not.toContain('Warning');
      await expectKeyOf(`${made.out.join('\n')}\n`, wallet);
    }
    const other = Wallet.fromSeed(secp256k1.seed!, { algorithm: ECDSA.ed25519 });
    const options = { baseUrl: baseUrl, seedFile: await seedFile(secp256k1), algorithm: 'ed25519' as const };
    await expectKeyOf(`${(await keyHere(options)).out.join('\n')}\n`, other);
  });

  test('refuses a seed on the command line before anything else, and does not repeat it', async () => {
    const { seed } = Wallet.generate();
    const made = await run([...COMMAND, '--base-url', baseUrl, `--seed-file=${seed}`]);
    expect(made).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^The command line contains a seed/),
    });
    expect(made.stderr).not.toContain(seed);
  });

  test('says why it made none, and shows no seed', async () => {
    const wallet = Wallet.generate();
    const options = { baseUrl: baseUrl, seedFile: await seedFile(wallet) };
    const garbled = path.join(folder, 'garbled.txt');
    await writeFile(
      garbled,
      wallet.seed!.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x')),
      { mode: 0o600 },
    );
    const closed = await serveRoutes({});
    await closed.close();
    const failures: [KeyOptions, RegExp][] = [
      [{ ...options, scopes: ['everything'] }, /No key was made: scopes\[0\]: must be/],
      [{ ...options, expiresInDays: Number('x') }, /No key was made: expires_in_days: must be/],
      [{ ...options, address: Wallet.generate().address }, /No key was made: proof\.public_key: is neither/],
      [{ ...options, seedFile: path.join(folder, 'nothing.txt') }, /no such file/],
      [{ ...options, seedFile: path.join(ROOT, 'package.json') }, /must hold one seed/],
      [{ ...options, seedFile: garbled }, /The seed cannot be read/],
      [{ ...options, baseUrl: `http://127.0.0.1:${closed.port}` }, /ECONNREFUSED/],
      [{ ...options, baseUrl: 'sale' }, /Invalid URL/],
    ];
    for (const [given, reason] of failures) {
      const made = await keyHere(given);
      expect(made).toMatchObject({ code: 1, out: [], err: expect.stringMatching(reason) });
      expect(made.err).not.toContain(wallet.seed?.slice(0, 20));
    }
  });

  test('signs nothing for a platform that calls itself otherwise, or asks for something else', async () => {
    const wallet = Wallet.generate();
    const asked: string[] = [];
    let message = '';
    const impostor = createServer((request, response) => {
      asked.push(request.url ?? '');
      const text = message.replace('HOST', request.headers.host ?? '');
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ id: 'chl_0', message: text }));
    }).listen(0, '127.0.0.1');
    await once(impostor, 'listening');
    const address = impostor.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    const options = { baseUrl: url, seedFile: await seedFile(wallet) };
    const lines = (...some: string[]) => ['Tranche wallet proof', ...some, `Wallet: ${wallet.address}`].join('\n');
    for (const [text, reason] of [
      [lines('Domain: sale.example.org', 'Network: 0', 'Action: create_key'), /calls itself sale\.example\.org/],
      [lines('Domain: HOST', 'Network: 0', 'Action: revoke_key key_0'), /something else/],
      ['STX\0', /something else/],
    ] as const) {
      message = text;
      expect(await keyHere(options)).toMatchObject({ code: 1, out: [], err: expect.stringMatching(reason) });
    }
    expect(asked).toEqual(Array(3).fill('/api/api-keys/challenge'));
    impostor.closeAllConnections();
    impostor.close();
  });
});
