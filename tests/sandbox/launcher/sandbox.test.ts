import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startLedger } from 'xrpl-sandbox/index.ts';
import { portsFrom } from '#sandbox/launcher/ports.ts';
import { isListening, isRunning, until } from './conditions.ts';

const LAUNCHER = path.resolve(import.meta.dirname, '../../../sandbox/launcher');

/** Stands in for Next.js: builds in an instant (or never, when told), serves, and notes its process id. */
const NEXT = `
  const { mkdirSync, writeFileSync, existsSync } = require('node:fs');
  writeFileSync(process.argv[2] + '.pid', String(process.pid));
  writeFileSync(process.argv[2] + '.env.json', JSON.stringify(process.env));
  if (process.argv[2] === 'build') {
    if (existsSync('hang')) setInterval(() => {}, 1000);
    else { mkdirSync('.next', { recursive: true }); writeFileSync('.next/BUILD_ID', 'x'); }
  } else {
    require('node:http').createServer((_, response) => response.end('{}')).listen(Number(process.argv[6]), '127.0.0.1');
  }`;

let project: string;
let basePort: number;
let sandbox: ChildProcess;

beforeAll(async () => {
  project = await mkdtemp(path.join(tmpdir(), 'tranche-test-'));
  const program = path.join(project, 'node_modules/next/dist/bin/next');
  await mkdir(path.dirname(program), { recursive: true });
  await writeFile(program, NEXT);
  const main = `
    import { parseOptions } from ${JSON.stringify(path.join(LAUNCHER, 'options.ts'))};
    import { runSandbox } from ${JSON.stringify(path.join(LAUNCHER, 'run.ts'))};
    process.exit(await runSandbox(parseOptions(process.argv), ${JSON.stringify(project)}));`;
  await writeFile(path.join(project, 'main.mts'), main);
  basePort = await freeBasePort();
});

afterEach(async () => {
  if (sandbox.exitCode === null && sandbox.signalCode === null) {
    sandbox.kill('SIGKILL');
    await once(sandbox, 'exit');
  }
});
afterAll(() => rm(project, { recursive: true, force: true }));

/** Below the ports that the system gives to whoever asks for any: those of other tests come and go. */
async function freeBasePort(): Promise<number> {
  for (;;) {
    const base = randomInt(20_000, 32_000);
    const taken = await Promise.all(Object.values(portsFrom(base)).map(isListening));
    if (!taken.includes(true)) return base;
  }
}

const start = (...flags: string[]) => startWith({}, ...flags);

function startWith(shell: Record<string, string>, ...flags: string[]) {
  const child = spawn(process.execPath, [path.join(project, 'main.mts'), '--port', String(basePort), ...flags], {
    env: { ...process.env, LEDGER_URL: undefined, ...shell },
  });
  const run = { output: '', exit: once(child, 'exit') as Promise<[number | null]> };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      run.output += chunk.toString();
    });
  }
  sandbox = child;
  return run;
}

const ready = (run: { output: string }) => until('sandbox ready', () => run.output.includes('sandbox ready'), 30_000);
const manifestFile = () => path.join(project, '.sandbox/manifest.json');
const environmentOf = (what: string) => JSON.parse(readFileSync(path.join(project, `${what}.env.json`), 'utf8'));
const pidOf = (what: string) => Number(readFileSync(path.join(project, `${what}.pid`), 'utf8'));

async function openPorts(): Promise<number[]> {
  const ports = Object.values(portsFrom(basePort));
  const open = await Promise.all(ports.map(isListening));
  return ports.filter((_, index) => open[index]);
}

describe('npm run sandbox', { timeout: 60_000 }, () => {
  it('starts everything, funds the accounts, and leaves no process, port or manifest', async () => {
    const run = start('--no-demo');
    await ready(run);
    expect(await openPorts()).toHaveLength(7);
    const manifest = JSON.parse(readFileSync(manifestFile(), 'utf8'));
    expect(manifest).toMatchObject({ base_url: `http://127.0.0.1:${basePort}`, project: null });
    const account = await fetch(manifest.ledger_rpc, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        method: 'account_lines',
        params: [{ account: manifest.accounts.distributor.address, ledger_index: 'validated' }],
      }),
    });
    expect(await account.json()).toMatchObject({
      result: { lines: [{ account: manifest.accounts.issuer.address, currency: 'DMO' }] },
    });
    for (const secret of [manifest.admin_token, manifest.cron_secret, manifest.accounts.deposit.seed]) {
      expect(run.output).not.toContain(secret);
    }

    sandbox.kill('SIGINT');
    expect(await run.exit).toEqual([0, null]);
    expect(await openPorts()).toEqual([]);
    expect(isRunning(pidOf('start'))).toBe(false);
    expect(existsSync(manifestFile())).toBe(false);
  });

  it('builds nothing while no source has changed, and ends with an error when the app ends', async () => {
    const run = start('--no-demo', '--witnesses', '0');
    await ready(run);
    expect(run.output).not.toContain('building the app');
    process.kill(pidOf('start'), 'SIGKILL');
    expect(await run.exit).toEqual([1, null]);
    expect(run.output).toContain('app ended unexpectedly (SIGKILL).');
    expect(await openPorts()).toEqual([]);
  });

  it('leaves nothing when it is stopped, or killed, in the middle of its start', async () => {
    await writeFile(path.join(project, 'hang'), '');
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      await rm(path.join(project, 'build.pid'), { force: true });
      const run = start('--no-demo', '--witnesses', '0', '--fresh');
      await until('the build runs', () => existsSync(path.join(project, 'build.pid')), 30_000);
      sandbox.kill(signal);
      const [code] = await run.exit;
      expect(code).toBe(signal === 'SIGTERM' ? 0 : null);
      await until('nothing is left', async () => (await openPorts()).length === 0 && !isRunning(pidOf('build')));
    }
    await rm(path.join(project, 'hang'));
  });

  it('starts the ledger alone on the base port', async () => {
    const run = start('--ledger-only', '--ledger-interval', '0');
    await ready(run);
    expect(await openPorts()).toEqual([basePort]);
    const first = sandbox;
    const second = start('--ledger-only');
    expect(await second.exit).toEqual([1, null]);
    first.kill('SIGTERM');
    expect(await run.exit).toEqual([0, null]);
    expect(second.output).toContain(`Port ${basePort} is needed for the ledger`);
  });

  it('builds what has changed, and touches nothing that .env.local or the shell names, and says what it leaves out', async () => {
    await mkdir(path.join(project, 'app'), { recursive: true });
    await writeFile(path.join(project, 'app/page.tsx'), 'changed');
    let connections = 0;
    const others = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    others.listen(0, '127.0.0.1');
    await once(others, 'listening');
    const host = `127.0.0.1:${(others.address() as AddressInfo).port}`;
    const settings = {
      POSTGRES_URL: `postgres://owner:secret@${host}/production`,
      POSTGRES_URL_NON_POOLING: `postgres://owner:secret@${host}/production`,
      KV_REST_API_URL: `http://${host}`,
      QSTASH_URL: `http://${host}`,
      XRPL_URLS: `ws://${host}`,
      BASE_URL: `http://${host}`,
      OPENAI_API_KEY: 'key-of-production',
    };
    const envFile = path.join(project, '.env.local');
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
    await writeFile(envFile, lines.join(''));
    const migrated = path.join(project, 'migrated.json');
    await mkdir(path.join(project, 'drizzle'), { recursive: true });
    await writeFile(
      path.join(project, 'drizzle/migrate.ts'),
      `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(migrated)}, JSON.stringify(process.env));`,
    );
    try {
      const run = startWith(settings, '--no-demo');
      await ready(run);
      expect(run.output).toContain('building the app');
      expect(connections).toBe(0);
      for (const environment of [environmentOf('start'), JSON.parse(readFileSync(migrated, 'utf8'))]) {
        const leaked = Object.keys(environment).filter((name) => environment[name].includes(host));
        expect(leaked).toEqual([]);
        expect(environment.POSTGRES_URL).toContain(`@127.0.0.1:${portsFrom(basePort).postgres}/`);
        expect(environment.OPENAI_API_KEY ?? '').toBe('');
      }
      expect(run.output).toContain('.env.local is not read');
      expect(run.output).toContain('OPENAI_API_KEY is not used, the built-in assistant answers (--openai uses it)');
    } finally {
      await Promise.all([rm(envFile), rm(path.join(project, 'drizzle'), { recursive: true })]);
      others.close();
    }
  });

  it('runs the development server with --dev, and builds nothing, with the language model that --openai asks for', async () => {
    await writeFile(path.join(project, 'app/page.tsx'), 'changed again');
    const run = startWith({ OPENAI_API_KEY: 'key-of-the-shell' }, '--no-demo', '--dev', '--openai');
    await ready(run);
    expect(run.output).not.toContain('building the app');
    expect(environmentOf('dev')).toMatchObject({
      NODE_ENV: 'development',
      BASE_URL: `http://127.0.0.1:${basePort}`,
      OPENAI_API_KEY: 'key-of-the-shell',
    });
    expect(run.output).toContain('what is asked leaves this machine');
    sandbox.kill('SIGTERM');
    expect(await run.exit).toEqual([0, null]);
    expect(isRunning(pidOf('dev'))).toBe(false);
  });

  it('refuses a database of another machine in --env-file before it starts anything', async () => {
    const file = path.join(project, 'production.env');
    await writeFile(file, 'POSTGRES_URL=postgres://owner:hunter2@db.example.com/production\n');
    const run = start('--env-file', file);
    expect(await run.exit).toEqual([1, null]);
    expect(run.output).toContain('POSTGRES_URL does not name this machine.');
    expect(run.output).not.toContain('hunter2');
    expect(await openPorts()).toEqual([]);
  });

  it('funds its accounts on a real standalone server, which has no faucet and no command of the stand-in', async () => {
    const other = await startLedger({ intervalMs: 0, networkId: 1000, strict: true });
    try {
      const run = start('--standalone', other.wsUrl, '--no-demo', '--ledger-interval', '0');
      await ready(run);
      const manifest = JSON.parse(readFileSync(manifestFile(), 'utf8'));
      expect(manifest.ledger_ws).toBe(other.wsUrl);
      const request = { method: 'account_info', params: [{ account: manifest.accounts.distributor.address }] };
      for (const url of [other.rpcUrl, manifest.ledger_rpc]) {
        const answer = await fetch(url, { method: 'POST', body: JSON.stringify(request) });
        expect(await answer.json()).toMatchObject({ result: { status: 'success' } });
      }
    } finally {
      await other.close();
    }
  });

  it('runs over the servers of --ledger with the keys of --env-file, and says what they lack', async () => {
    const other = await startLedger({ intervalMs: 0, networkId: 0 });
    const key = `rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh=secp256k1:snoPBrXtMeMyMHUVTgbuqAfg1SUTb`;
    const file = path.join(project, 'ledger.env');
    await writeFile(file, `SIGNING_KEYS=${key}\n`);
    try {
      other.faults.set({ lacksClioCommands: true });
      const unconfirmed = start('--ledger', other.wsUrl, '--env-file', file);
      expect(await unconfirmed.exit).toEqual([1, null]);
      expect(unconfirmed.output).toContain('Give --network-id 0 if that is meant.');

      const run = start('--ledger', other.wsUrl, '--network-id', '0', '--env-file', file);
      await ready(run);
      expect(environmentOf('start')).toMatchObject({
        XRPL_URLS: other.wsUrl,
        XRPL_NETWORK_ID: '0',
        SIGNING_KEYS: key,
        PLATFORM_TOKEN: '',
      });
      expect(run.output).toContain('the ledger of network 0 is used: no accounts are funded, no demo sale, no crowd');
      expect(run.output).toContain('no server of --ledger knows mpt_holders');
      expect(run.output).not.toContain('snoPBrXtMeMyMHUVTgbuqAfg1SUTb');
      expect(await openPorts()).toHaveLength(5);
      expect(JSON.parse(readFileSync(manifestFile(), 'utf8'))).toMatchObject({
        ledger_ws: other.wsUrl,
        accounts: null,
        project: null,
      });
    } finally {
      await other.close();
    }
  });
});
