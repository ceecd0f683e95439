import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import vm from 'node:vm';
import { gzipSync } from 'node:zlib';
import { encodeActionMemo } from '@tranche/rules/action-memo.ts';
import { formatUnits } from '@tranche/rules/amounts.ts';
import { derivedId } from '@tranche/rules/ids.ts';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SmallSale, startSmallSale } from './small-sale.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PACKAGES = ['@tranche/rules', '@tranche/verifier', '@tranche/witness', '@tranche/client', 'xrpl-sandbox'];
const PROJECT = 'proj_5kQ2mB7xN0aYh3uVtR8wZc';

/** What a page loads to verify a sale, not compressed. */
const MAX_BUNDLE_BYTES = 250_000;

/** Of the client, all of it, as it is sent. */
const MAX_CLIENT_BYTES = 15_000;

/** Of the sandbox ledger, as installed, without Node.js. */
const MAX_INSTALLED_BYTES = 15_000_000;

let folder: string;
let ledger: ChildProcess;
let sale: SmallSale;

/** Runs in the folder; gives what it wrote and how it ended. */
const run = (command: string, args: readonly string[]): Promise<{ stdout: string; stderr: string; code: number }> =>
  promisify(execFile)(command, args, { cwd: folder, maxBuffer: 20_000_000 }).then(
    ({ stdout, stderr }) => ({ stdout, stderr, code: 0 }),
    (failure: { stdout: string; stderr: string; code: number }) => failure,
  );

const runModule = async (source: string): Promise<unknown> => {
  await writeFile(path.join(folder, 'run.mjs'), source);
  const { stdout, stderr, code } = await run(process.execPath, ['run.mjs']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
};

/** The command that a user has after the installation. */
const installed = (name: string): string => path.join(folder, 'node_modules/.bin', name);

async function startInstalledLedger(): Promise<{ wsUrl: string; rpcUrl: string }> {
  ledger = spawn(installed('xrpl-sandbox'), ['--port', '0', '--ledger-interval', '0'], { cwd: folder });
  let said = '';
  for await (const chunk of ledger.stdout ?? []) {
    said += String(chunk);
    const [, wsUrl, rpcUrl] = /ws +(\S+)\n +rpc +(\S+)\n/.exec(said) ?? [];
    if (wsUrl !== undefined && rpcUrl !== undefined) return { wsUrl, rpcUrl };
  }
  throw new Error(`The sandbox ledger did not start: ${said}`);
}

beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'tranche-packages-')));
  const packed = path.join(folder, 'packed');
  await mkdir(packed);
  await promisify(execFile)(
    'npm',
    ['pack', '--silent', '--pack-destination', packed, ...PACKAGES.flatMap((name) => ['--workspace', name])],
    { cwd: ROOT },
  );
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const files = (await readdir(packed)).map((file) => path.join(packed, file));
  expect(files).toHaveLength(PACKAGES.length);
  const installation = await run('npm', [
    'install',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--silent',
    ...files,
  ]);
  expect(installation).toMatchObject({ code: 0 });
  sale = await startSmallSale(await startInstalledLedger());
});

afterAll(async () => {
  await sale?.close();
  ledger?.kill();
  await rm(folder, { recursive: true, force: true });
});

describe('a package in an empty folder', () => {
  it.each(PACKAGES)('%s has JavaScript, declarations, its license and its page, and no TypeScript', async (name) => {
    const files = await readdir(path.join(folder, 'node_modules', name), { recursive: true });
    expect(files).toEqual(expect.arrayContaining(['README.md', 'package.json', path.join('dist', 'LICENSE')]));
    expect(files.filter((file) => /(?<!\.d)\.ts$/.test(file))).toEqual([]);
    expect(files.filter((file) => file.endsWith('.js'))).not.toEqual([]);
  });

  it('the rules give what they give here', async () => {
    const found = await runModule(`
      import { formatUnits } from '@tranche/rules/amounts';
      import { derivedId } from '@tranche/rules/ids';
      import { encodeActionMemo } from '@tranche/rules/action-memo';
      const memo = encodeActionMemo({ v: 1, project: '${PROJECT}', move: 'pause' });
      console.log(JSON.stringify([formatUnits(1234n, 3), derivedId('inv', 'AB'), memo]));`);
    const memo = encodeActionMemo({ v: 1, project: PROJECT, move: 'pause' });
    expect(found).toEqual([formatUnits(1234n, 3), derivedId('inv', 'AB'), memo]);
  });

  it('the whole client is small, and a bundler keeps what is imported, without Node.js', async () => {
    const bundled = async (contents: string): Promise<string> => {
      const stdin = { contents, resolveDir: folder };
      const { outputFiles } = await build({
        stdin,
        bundle: true,
        minify: true,
        format: 'esm',
        platform: 'browser',
        write: false,
      });
      return outputFiles[0]?.text ?? '';
    };
    const whole = await bundled("export * from '@tranche/client';");
    expect(gzipSync(whole).byteLength).toBeLessThan(MAX_CLIENT_BYTES);
    const check = await bundled("export { verifyWebhook } from '@tranche/client';");
    expect(gzipSync(check).byteLength).toBeLessThan(MAX_CLIENT_BYTES / 10);
    const reading = await bundled("export { connect, getProject } from '@tranche/client';");
    expect(reading).not.toContain('/api/webhooks');
  });

  it('a program of somebody else is checked against the types of the client', async () => {
    const tsc = path.join(ROOT, 'node_modules/.bin/tsc');
    const check = async (call: string) => {
      const source = `import { connect, getProject } from '@tranche/client';\nconst tranche = connect({ baseUrl: '' });\n${call}`;
      await writeFile(path.join(folder, 'typed.ts'), source);
      return run(tsc, [
        '--noEmit',
        '--strict',
        '--skipLibCheck',
        '--module',
        'nodenext',
        '--target',
        'es2022',
        'typed.ts',
      ]);
    };
    const right = "getProject({ id: 'proj_1' }, tranche).then(({ progress }) => progress.total_raised_xrp.length);";
    expect(await check(right)).toMatchObject({ code: 0 });
    expect((await check(right.replace('.length', '.toFixed()'))).stdout).toContain('toFixed');
  });

  it('SHA-256 is the same with and without Node.js', async () => {
    const found = await runModule(`
      import * as web from './node_modules/@tranche/rules/dist/sha256.js';
      import * as node from '@tranche/rules/sha256';
      const parts = (from) => { const hash = from.newSha256(); hash.update('a€'); hash.update('b'); return hash.hex(); };
      console.log(JSON.stringify([web, node].map((from) => [from.sha256Hex('a€b'), parts(from)]).flat()));`);
    expect(new Set(found as string[]).size).toBe(1);
  });

  it('the sandbox ledger is small and starts with nothing else installed', async () => {
    const alone = path.join(folder, 'alone');
    await mkdir(alone);
    await writeFile(path.join(alone, 'package.json'), '{"private": true}');
    const [tarball] = (await readdir(path.join(folder, 'packed'))).filter((file) => file.startsWith('xrpl-sandbox'));
    const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--silent', '--prefix', alone];
    expect(await run('npm', [...install, path.join(folder, 'packed', tarball ?? '')])).toMatchObject({ code: 0 });
    const files = await readdir(path.join(alone, 'node_modules'), { recursive: true, withFileTypes: true });
    const bytes = files
      .filter((file) => file.isFile())
      .reduce((sum, { parentPath, name }) => sum + statSync(path.join(parentPath, name)).size, 0);
    expect(bytes).toBeLessThan(MAX_INSTALLED_BYTES);
    const child = spawn(path.join(alone, 'node_modules/.bin/xrpl-sandbox'), ['--port', '0']);
    const [greeting] = await once(child.stdout, 'data');
    child.kill();
    expect(String(greeting)).toContain('sandbox ledger ready');
    await once(child, 'exit');
  });

  it('the sandbox ledger serves xrpl.js in a test of somebody else, without any settings', async () => {
    const found = await runModule(`
      import { Client, Wallet } from '${import.meta.resolve('xrpl')}';
      import { startLedger } from 'xrpl-sandbox';
      const ledger = await startLedger({ accounts: 2 });
      const client = new Client(ledger.wsUrl);
      await client.connect();
      const [from, to] = ledger.accounts;
      const snapshot = ledger.snapshot();
      const payment = { TransactionType: 'Payment', Account: from.address, Destination: to.address, Amount: '1000000' };
      const { result } = await client.submitAndWait(payment, { wallet: Wallet.fromSeed(from.seed), autofill: true });
      const paid = await client.getXrpBalance(to.address);
      ledger.restore(snapshot);
      console.log(JSON.stringify([result.meta.TransactionResult, paid, await client.getXrpBalance(to.address)]));
      await client.disconnect();
      await ledger.close();`);
    expect(found).toEqual(['tesSUCCESS', 10_001, 10_000]);
  });

  it('the sandbox ledger runs within a program', async () => {
    const found = await runModule(`
      import { startLedger } from 'xrpl-sandbox';
      const ledger = await startLedger({ intervalMs: 0 });
      const before = ledger.accept();
      console.log(JSON.stringify(ledger.accept() - before));
      await ledger.close();`);
    expect(found).toBe(1);
  });

  it('types come along', async () => {
    await writeFile(
      path.join(folder, 'typed.ts'),
      `import { reduceAll } from '@tranche/rules/reduce';
       import { startLedger } from 'xrpl-sandbox';
       import { verifySale } from '@tranche/verifier/verify-sale';
       export const verdict: Promise<{ progress: { phase: string } }> = verifySale({} as Parameters<typeof verifySale>[0]);
       export const port: Promise<number> = startLedger({ intervalMs: 0 }).then((ledger) => ledger.port);
       // @ts-expect-error: a state is no text
       reduceAll('', []);`,
    );
    const settings = ['--module', 'nodenext', '--target', 'es2024', '--lib', 'esnext,dom', '--types', '', '--strict'];
    const tsc = path.join(ROOT, 'node_modules/.bin/tsc');
    expect(await run(tsc, ['--noEmit', ...settings, 'typed.ts'])).toMatchObject({ code: 0, stdout: '' });
  });
});

/** The verifier as a page loads it, in a realm without anything of Node.js. */
async function verifyAsBrowser(): Promise<{ verdict: string; differences: { kind: string }[] }> {
  await writeFile(
    path.join(folder, 'page.mjs'),
    `export { httpSource } from '@tranche/verifier/http-source';
     export { openLedger } from '@tranche/verifier/ledger-client';
     export { reportOf } from '@tranche/verifier/report';
     export { verifySale } from '@tranche/verifier/verify-sale';`,
  );
  const { metafile } = await build({
    entryPoints: [path.join(folder, 'page.mjs')],
    outfile: path.join(folder, 'page.js'),
    bundle: true,
    minify: true,
    metafile: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'verifier',
    absWorkingDir: folder,
  });
  const imported = Object.values(metafile.inputs).flatMap(({ imports }) => imports);
  // Named imports of zod would bring all of it, in every language.
  expect(statSync(path.join(folder, 'page.js')).size).toBeLessThan(MAX_BUNDLE_BYTES);
  expect(imported.filter((each) => each.external || /^node:/.test(each.path))).toEqual([]);
  const { fetch, WebSocket, URL, AbortSignal, TextEncoder, TextDecoder, crypto, setTimeout, clearTimeout } = globalThis;
  const page = { fetch, WebSocket, URL, AbortSignal, TextEncoder, TextDecoder, crypto, setTimeout, clearTimeout };
  const source = `${await readFile(path.join(folder, 'page.js'), 'utf8')}
    (async () => {
      const source = verifier.httpSource(${JSON.stringify(sale.baseUrl)});
      const ledger = verifier.openLedger({ urls: [${JSON.stringify(sale.wsUrl)}], networkId: 0 });
      try {
        const { progress, inputs } = await verifier.verifySale({
          source, ledger, projectId: ${JSON.stringify(sale.project)}, asOf: null, progress: null, pageDone: async () => true,
        });
        return JSON.stringify(verifier.reportOf(progress, inputs));
      } finally {
        ledger.close();
      }
    })()`;
  return JSON.parse(await vm.runInNewContext(source, page));
}

describe('the packed verifier', () => {
  const options = () => ['--base-url', sale.baseUrl, '--project', sale.project, '--ledger', sale.wsUrl];

  it('says how it is used', async () => {
    expect(await run(installed('tranche-verify'), [])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--base-url <url>/),
    });
  });

  it('agrees with what a platform publishes, as a command and in a browser', async () => {
    expect(await run(installed('tranche-verify'), options())).toMatchObject({ code: 0 });
    expect(await verifyAsBrowser()).toMatchObject({ verdict: 'agrees' });
  });

  it('finds the payment that the platform keeps silent about', async () => {
    await sale.pay();
    const { code, stdout } = await run(installed('tranche-verify'), [...options(), '--json']);
    expect(code).toBe(1);
    const asCommand = JSON.parse(stdout);
    expect(asCommand.differences.map(({ kind }: { kind: string }) => kind)).toContain('payment_missing');
    expect(await verifyAsBrowser()).toEqual(asCommand);
  });
});

describe('the packed witness', () => {
  it('answers as a serverless function, by the program of its page', async () => {
    const home = path.join(folder, 'witness');
    await mkdir(home);
    const made = await promisify(execFile)(
      installed('tranche-witness'),
      ['init', '--name', 'Witness 1', '--ledger', sale.wsUrl, '--one-server'],
      { cwd: home },
    );
    const config = JSON.parse(await readFile(path.join(home, 'witness.json'), 'utf8'));
    await writeFile(path.join(home, 'witness.json'), JSON.stringify({ ...config, log: 'standard_output' }));
    const page = await readFile(path.join(ROOT, 'lib/witness/README.md'), 'utf8');
    const [, program] = /## As a serverless function.*?```ts\n(.*?)```/s.exec(page) ?? [];
    await writeFile(path.join(folder, 'function.mjs'), program ?? '');
    const [, address, token] = /^(r\w+)=<url>#(\S+)$/m.exec(made.stdout) ?? [];
    const calls = `
      process.env.WITNESS_KEY = ${JSON.stringify(await readFile(path.join(home, 'witness.key'), 'utf8'))};
      const { GET, POST } = await import('./function.mjs');
      const url = 'https://witness.example';
      const headers = { authorization: 'Bearer ${token}' };
      const status = await GET(new Request(url + '/v1/status', { headers }));
      const stranger = await POST(new Request(url + '/v1/signatures', { method: 'POST', body: '{}' }));
      console.log(JSON.stringify([status.status, await status.json(), stranger.status]));
      process.exit(0);`;
    await writeFile(path.join(folder, 'run.mjs'), calls);
    const { stdout } = await run(process.execPath, ['run.mjs']);
    const [log = '', answers = ''] = stdout.trim().split(/\n(?=\[)/);
    expect(JSON.parse(log)).toMatchObject({ n: 1, event: 'started' });
    expect(JSON.parse(answers)).toEqual([
      200,
      expect.objectContaining({ key: address, ledger_index: expect.any(Number) }),
      401,
    ]);
  });
});
