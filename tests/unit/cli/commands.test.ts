import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { Wallet } from 'xrpl';
import { testEnv } from '#tests/support/env.ts';

const TRANCHE = path.resolve(import.meta.dirname, '../../../lib/cli/tranche.cjs');
/** The programs load as the test files do, in half the time. */
const QUICK = `--import ${pathToFileURL(path.resolve(import.meta.dirname, '../../support/quick-drizzle-here.ts'))}`;

/** One run with these settings alone, elsewhere than in the project's folder. */
const runIn = (cwd: string, settings: Record<string, string>, ...args: string[]) =>
  new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    const env = {
      PATH: process.env.PATH,
      NODE_ENV: 'test' as const,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      NODE_OPTIONS: QUICK,
      ...settings,
    };
    execFile(process.execPath, [TRANCHE, ...args], { cwd, env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });

const run = (...args: string[]) => runIn('/', {}, ...args);

/** What `--help` of a command says: the same each time, and a process that has loaded a whole campaign first is not quick. */
const helps = new Map<string, ReturnType<typeof run>>();
function helpOf(command: string): ReturnType<typeof run> {
  const known = helps.get(command) ?? run(...command.split(' '), '--help');
  helps.set(command, known);
  return known;
}

/** A process of its own, on a machine that may be busy. */
const SPAWN_TIMEOUT_MS = 60_000;

const COMMANDS = [
  ...[
    'doctor',
    'migrate',
    'follow',
    'setup',
    'admin-token',
    'reencrypt-webhooks',
    'match-payouts',
    'custody',
    'witness',
  ],
  ...['verify', 'key', 'listen', 'resend', 'trigger'],
  ...['sandbox', 'bench', 'load', 'faults', 'fuzz', 'conformance', 'ledger-fuzz', 'generate'],
];

test('--help names every command', async () => {
  const { code, stdout } = await run('--help');
  expect(code).toBe(0);
  expect([...stdout.matchAll(/^ {2}([a-z][a-z-]+)(?: \[|\s{2,})/gm)].map(([, name]) => name)).toEqual(COMMANDS);
});

// The others of the repository's programs load as much as the campaigns do before they show theirs.
test.each(COMMANDS.filter((command) => command !== 'load' && command !== 'fuzz'))(
  '%s --help shows its own help and does nothing',
  async (command) => {
    const { code, stdout, stderr } = await helpOf(command);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Usage: npx tranche [\s\S]*\n {2}-h, --help/);
  },
  SPAWN_TIMEOUT_MS,
);

test(
  'what is not understood ends with 2, says why, and quotes no seed',
  async () => {
    for (const [args, reason] of [
      [['docter'], "unknown command 'docter'"],
      [['doctor', '--jsn'], "unknown option '--jsn'"],
      [['verify'], "required option '--base-url <url>' not specified"],
      [['verify', '--base-url', 'x', '--project', 'y', '--ledger', 'z', '--as-of', 'soon'], 'Give a ledger index'],
      [['key', '--base-url', 'x', '--seed-file', 'y', '--algorithm', 'rsa'], 'Allowed choices are ed25519, secp256k1'],
      [['faults', 'everything'], 'choose from system, payouts, webhooks, custody'],
    ] as const) {
      expect(await run(...args)).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(reason) });
    }
    const { seed = '' } = Wallet.generate();
    for (const args of [['key', seed], ['doctor', `--settings=${seed}`], [seed]]) {
      const refused = await run(...args);
      expect(refused).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining('contains a seed') });
      expect(refused.stderr).not.toContain(seed);
    }
  },
  SPAWN_TIMEOUT_MS,
);

test(
  'a command that writes to a database takes it from the environment or from a named file, never from an .env.local that is there',
  async () => {
    let connections = 0;
    const database = createServer((socket) => {
      connections += 1;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(database, 'listening');
    const { port } = database.address() as AddressInfo;
    const folder = await mkdtemp(path.join(tmpdir(), 'tranche-cli-'));
    try {
      const settings = { ...testEnv({ POSTGRES_URL: `postgres://u:p@127.0.0.1:${port}/x` }) };
      const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
      await writeFile(path.join(folder, '.env.local'), lines.join(''));
      for (const command of ['migrate', 'reencrypt-webhooks']) {
        expect(await runIn(folder, {}, command)).toMatchObject({ code: 1, stdout: '' });
        expect({ command, connections }).toEqual({ command, connections: 0 });
      }
      const file = path.join(folder, '.env.local');
      expect(await runIn(folder, {}, 'reencrypt-webhooks', '--settings', file)).toMatchObject({ code: 1 });
      expect(connections).toBeGreaterThan(0);
    } finally {
      database.close();
      await rm(folder, { recursive: true });
    }
  },
  SPAWN_TIMEOUT_MS,
);

test(
  'a failure quotes no password of an address in the settings',
  async () => {
    const settings = { ...testEnv({ QSTASH_URL: 'http://u:hunter2hunter2@127.0.0.1:9' }) } as Record<string, string>;
    const { code, stdout, stderr } = await runIn('/', settings, 'setup', '--dry-run');
    expect(code).toBe(1);
    expect(stderr).toContain('http://');
    expect(stdout + stderr).not.toContain('hunter2');
  },
  SPAWN_TIMEOUT_MS,
);

test(
  'every option of a command that the guides name is one of it',
  async () => {
    const docs = path.resolve(import.meta.dirname, '../../../docs');
    const pages = [
      ...(await readdir(docs)).filter((name) => name.endsWith('.md')).map((name) => path.join(docs, name)),
    ];
    const used = new Map<string, Set<string>>();
    for (const page of [...pages, path.resolve(docs, '../README.md'), path.resolve(docs, '../CONTRIBUTING.md')]) {
      for (const [, command = '', rest = ''] of (await readFile(page, 'utf8')).matchAll(
        /npx tranche ([a-z-]+)([^`\n#|]*)/g,
      )) {
        const name = ['bench', 'faults', 'custody', 'witness'].includes(command)
          ? [command, /^ ([a-z][a-z-]*)/.exec(rest)?.[1] ?? []].flat().join(' ')
          : command;
        const options = used.get(name) ?? used.set(name, new Set()).get(name);
        for (const [option] of rest.matchAll(/--[a-z-]+/g)) options?.add(option);
      }
    }
    expect(used.size).toBeGreaterThan(10);
    for (const [name, options] of used) {
      if (options.size === 0) continue;
      const { code, stdout } = await helpOf(name);
      expect({ name, code }).toEqual({ name, code: 0 });
      for (const option of options) expect(stdout, `npx tranche ${name}`).toContain(option);
    }
  },
  SPAWN_TIMEOUT_MS,
);
