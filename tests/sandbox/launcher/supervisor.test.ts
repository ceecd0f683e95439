import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSupervisor } from '#sandbox/launcher/supervisor.ts';
import { isRunning, until } from './conditions.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tranche-test-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A program that notes its process id and that of a child of its own, and then stays. */
const FAMILY = `
  const { spawn } = require('node:child_process');
  const { writeFileSync } = require('node:fs');
  if (process.argv[3] === 'stubborn') process.on('SIGTERM', () => {});
  const child = spawn('sleep', ['600']);
  writeFileSync(process.argv[2], process.pid + ' ' + child.pid);
  setInterval(() => {}, 1000);`;

async function family(name: string, ...more: string[]) {
  const script = path.join(folder, 'family.cjs');
  const pidFile = path.join(folder, `${name}.pids`);
  await writeFile(script, FAMILY);
  const pids = () => {
    try {
      return readFileSync(pidFile, 'utf8').split(' ').map(Number);
    } catch {
      return [];
    }
  };
  return { spec: { name, args: [script, pidFile, ...more], env: { PATH: process.env.PATH ?? '' }, cwd: folder }, pids };
}

async function program(name: string, source: string) {
  const script = path.join(folder, `${name}.cjs`);
  await writeFile(script, source);
  return { name, args: [script], env: {}, cwd: folder };
}

describe('the supervisor', { timeout: 30_000 }, () => {
  it('ends every child, what a child has started, and one that does not listen', async () => {
    const supervisor = createSupervisor(path.join(folder, 'logs'), 300);
    const families = [await family('polite'), await family('deaf', 'stubborn')];
    for (const { spec } of families) supervisor.start(spec);
    await until('all run', () => families.every(({ pids }) => pids().length === 2));
    const pids = families.flatMap((each) => each.pids());
    expect(pids.map(isRunning)).toEqual([true, true, true, true]);

    await supervisor.stop();
    await until('none runs', () => !pids.some(isRunning));
  });

  it('tells of a child that ends by itself, with the end of its log', async () => {
    const supervisor = createSupervisor(path.join(folder, 'logs'));
    supervisor.start(await program('broken', `console.error('the disk is made of cheese'); process.exit(3);`));
    await expect(supervisor.failure).rejects.toThrow(
      /broken ended unexpectedly \(exit code 3\)\.\n {2}broken \| the disk is made of cheese\nLog: /,
    );
    await supervisor.stop();
  });

  it('takes no failure from children it has stopped itself, or that may end', async () => {
    const supervisor = createSupervisor(path.join(folder, 'logs'));
    let failed = false;
    supervisor.failure.catch(() => {
      failed = true;
    });
    const { spec, pids } = await family('polite');
    supervisor.start(spec);
    await supervisor.startOptional(await program('guest', 'process.exit(1)')).ended;
    await until('it runs', () => pids().length === 2);
    await supervisor.stop();
    expect(failed).toBe(false);
  });

  it('closes what opens only after the stop, and starts nothing any more', async () => {
    const supervisor = createSupervisor(path.join(folder, 'logs'));
    const opening = Promise.withResolvers<{ close(): void }>();
    let closed = false;
    const adopted = supervisor.adopt(opening.promise);
    const refused = expect(adopted).rejects.toThrow('stopping');
    const stopped = supervisor.stop();
    opening.resolve({ close: () => (closed = true) });
    await stopped;
    await refused;
    expect(closed).toBe(true);
    expect(() => supervisor.start({ name: 'late', args: [], env: {}, cwd: folder })).toThrow('stopping');
  });

  it('takes its children along when it is killed itself', async () => {
    const { spec, pids } = await family('orphan');
    const source = `
      const { createSupervisor } = await import(${JSON.stringify(path.join(ROOT, 'sandbox/launcher/supervisor.ts'))});
      createSupervisor(${JSON.stringify(folder)}).start(${JSON.stringify(spec)});`;
    const launcher = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: 'inherit' });
    await until('the child runs', () => pids().length === 2);
    launcher.kill('SIGKILL');
    await once(launcher, 'exit');
    await until('none runs', () => !pids().some(isRunning));
    expect(pids()).toHaveLength(2);
  });
});
