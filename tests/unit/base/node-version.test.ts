import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../../..');

/** As npm and Next.js judge versions; it comes without types. */
const semver: {
  subset(inner: string, outer: string): boolean;
  satisfies(version: string, range: string): boolean;
  minVersion(range: string): { version: string } | null;
} = createRequire(import.meta.url)('next/dist/compiled/semver');

interface Package {
  dev?: boolean;
  /** For one kind of machine; npm leaves it out where it does not fit. */
  optional?: boolean;
  engines?: { node?: string };
}

const readJson = async (file: string) => JSON.parse(await readFile(path.join(ROOT, file), 'utf8'));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tranche-node-'));
  for (const name of ['lib', 'drizzle', 'sandbox', 'node_modules'])
    await symlink(path.join(ROOT, name), path.join(folder, name));
  for (const name of ['package.json', 'next.config.ts', 'tsconfig.json'])
    await copyFile(path.join(ROOT, name), path.join(folder, name));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/**
 * Runs a command of package.json by a Node.js that takes itself for another version, in a folder that has this project's
 * code and no pages: where it is not refused, it finds nothing to build or to serve.
 */
async function runAs(version: string, script: string) {
  const preload = path.join(folder, `${version}.cjs`);
  await writeFile(
    preload,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`,
  );
  const { scripts } = (await readJson('package.json')) as { scripts: Record<string, string> };
  const [program = '', ...args] = (scripts[script] ?? 'node lib/cli/tranche.cjs')
    .split(' ')
    .filter((word) => word !== 'exec');
  // Only this process takes itself for another: what a build starts must not be read as our refusal.
  const command = program === 'next' ? ['node_modules/next/dist/bin/next', ...args] : args;
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    const env = { PATH: process.env.PATH ?? '', NODE_ENV: 'production' as const };
    execFile(
      process.execPath,
      ['--require', preload, ...command, ...(program === 'next' ? [] : ['--help'])],
      { cwd: folder, env },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

test('engines.node admits no Node.js that a package of production refuses', async () => {
  const { engines } = (await readJson('package.json')) as Required<Package>;
  const { packages } = (await readJson('package-lock.json')) as { packages: Record<string, Package> };
  const refusing = Object.entries(packages).filter(
    ([, one]) =>
      !one.dev && !one.optional && one.engines?.node && !semver.subset(engines.node ?? '*', one.engines.node),
  );
  expect(refusing.map(([name, one]) => [name, one.engines?.node])).toEqual([]);
  expect(packages['']?.engines).toEqual(engines);
  expect(semver.satisfies(process.versions.node, engines.node ?? '')).toBe(true);
});

test.each(['build', 'start', 'sandbox', 'db:migrate', 'tranche'])(
  '%s under an older Node.js says in one line which version it needs, and does nothing',
  async (script) => {
    const { code, stdout, stderr } = await runAs('22.18.0', script);
    // Next.js tells of itself before it reads the project's configuration.
    const said = stdout.replace(/^(?:▲|- Local|- Network|✓ Ready).*\n/gm, '').trim();
    expect({ script, code, said }).toEqual({ script, code: 1, said: '' });
    expect(stderr).toMatch(/^Tranche needs Node\.js 22\.19\.0 or later, and this is 22\.18\.0\. [^\n]+\n$/);
  },
);

test('the version that engines.node names is taken', async () => {
  const { engines } = (await readJson('package.json')) as Required<Package>;
  const least = semver.minVersion(engines.node ?? '')?.version ?? '';
  expect(await runAs(least, 'tranche')).toMatchObject({ code: 0, stderr: '' });
});
