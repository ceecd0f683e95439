import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Account } from './account.ts';
import type { Installation } from './binaries.ts';
import { PostgresFailure } from './failure.ts';
import { nameForPath } from './home.ts';
import { runToEnd } from './run.ts';
import { isAlive } from './stale.ts';

/** A data directory that initdb has filled, and the password of its superuser. */
export type Cluster = { dataDir: string; password: string };

export const SUPERUSER = 'tranche';

// Its own folder holds data and password, so that both are closed to others and go together.
const DATA = 'data';
const PASSWORD = 'password';
const VERSION = 'version';
// As root: the path the cluster was asked for at, so that it can go when the project has gone.
const REQUESTED = 'requested-path';

/** The file system in memory that Linux has. */
const MEMORY = '/dev/shm';
/** A container often has but a few megabytes there. */
const MIN_MEMORY_BYTES = 2 * 1024 ** 3;

/** Where a new cluster can lie in memory, which makes a database in a third of the time; null where there is no room. */
export async function memoryFolder(): Promise<string | null> {
  const room = await statfs(MEMORY).catch(() => null);
  return room !== null && room.bavail * room.bsize >= MIN_MEMORY_BYTES ? MEMORY : null;
}

/**
 * The folder of a cluster. As root it lies beside the copied programs, whatever `requested` is: the account that
 * PostgreSQL runs as may not enter the project. Without `requested` it is new, carries the process id of its maker, and lies
 * in `memory` where that is given.
 */
export async function clusterFolder(
  requested: string | undefined,
  account: Account | null,
  installation: Installation,
  memory: string | null,
): Promise<string> {
  const parent = memory ?? (account ? installation.folder : tmpdir());
  await removeAbandoned(parent);
  if (requested === undefined) {
    return mkdtemp(path.join(parent, `tranche-cluster-${process.pid}-`));
  }
  if (!account) return path.resolve(requested);
  const folder = path.join(parent, `cluster-${nameForPath(requested)}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(path.join(folder, REQUESTED), path.resolve(requested), { mode: 0o600 });
  return folder;
}

/** The data directory in a cluster's folder. */
export function dataDirOf(folder: string): string {
  return path.join(folder, DATA);
}

/**
 * Opens the cluster in `folder`, or makes one (about half a second) when there is none or `fresh` throws it away.
 *
 * @throws PostgresFailure with the text of initdb when it refuses
 */
export async function openCluster(
  folder: string,
  account: Account | null,
  installation: Installation,
  fresh: boolean,
): Promise<Cluster> {
  const dataDir = dataDirOf(folder);
  const known = fresh ? null : await knownPassword(folder, installation);
  if (known) return { dataDir, password: known };

  await requireCluster(dataDir);
  await rm(path.join(folder, VERSION), { force: true });
  await rm(dataDir, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await mkdir(dataDir, { mode: 0o700 });
  const password = randomBytes(24).toString('base64url');
  const passwordFile = path.join(folder, PASSWORD);
  await rm(passwordFile, { force: true });
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (account) {
    // The folder itself stays root's, which writes there: the account could put a link in its way.
    await chmod(folder, 0o711);
    await chown(dataDir, account.uid, account.gid);
    await chown(passwordFile, account.uid, account.gid);
  }
  try {
    await runToEnd(installation.initdb, initdbArguments(dataDir, passwordFile), { account, cwd: folder });
  } catch (error) {
    const text = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
    throw new PostgresFailure(`PostgreSQL could not make its data directory ${dataDir}:\n${text}`, { cause: error });
  }
  // Written last: a folder without it is the remains of an interrupted start.
  await writeFile(path.join(folder, VERSION), installation.version, { mode: 0o600 });
  return { dataDir, password };
}

/** What is about to be deleted must be ours: somebody may have named a folder with other things in it. */
async function requireCluster(dataDir: string): Promise<void> {
  const names: string[] = await readdir(dataDir).catch(() => []);
  if (names.length > 0 && !names.includes('PG_VERSION')) {
    throw new PostgresFailure(`${dataDir} holds files that are not PostgreSQL's. Choose another folder, or empty it.`);
  }
}

function initdbArguments(dataDir: string, passwordFile: string): string[] {
  return [
    `--pgdata=${dataDir}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    // The password is random and long: stretching it would only make each connection slow.
    '--set=scram_iterations=1',
    '--encoding=UTF8',
    // The same collation on every machine, whatever locales it has.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    // Nothing in it is worth waiting for a disk, or looking for that disk's faults.
    '--no-sync',
    '--no-data-checksums',
  ];
}

async function knownPassword(folder: string, installation: Installation): Promise<string | null> {
  const [version, password] = await Promise.all([
    readFile(path.join(folder, VERSION), 'utf8').catch(() => ''),
    readFile(path.join(folder, PASSWORD), 'utf8').catch(() => ''),
  ]);
  return version === installation.version && password ? password.trim() : null;
}

/** Removes the clusters of processes that were killed and of projects that were deleted. */
async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const folder = path.join(parent, name);
    if (!(await isAbandoned(folder, name))) continue;
    const postmaster = await readFile(path.join(folder, DATA, 'postmaster.pid'), 'utf8').catch(() => '');
    if (!isAlive(Number.parseInt(postmaster, 10))) await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}

async function isAbandoned(folder: string, name: string): Promise<boolean> {
  const maker = /^tranche-cluster-(\d+)-/.exec(name)?.[1];
  if (maker !== undefined) return !isAlive(Number(maker));
  if (!name.startsWith('cluster-')) return false;
  const requested = await readFile(path.join(folder, REQUESTED), 'utf8').catch(() => '');
  return requested !== '' && !existsSync(path.dirname(requested));
}
