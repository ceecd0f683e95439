import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { codeOf } from './failure.ts';

/**
 * Temporary folders to try in turn: the first may be noexec, or lie below a folder closed to other users.
 */
export function temporaryFolders(): string[] {
  return [...new Set([tmpdir(), '/tmp', '/var/tmp'])];
}

/**
 * A folder of ours inside a temporary folder: traversable by the account PostgreSQL runs as, writable by nobody but the
 * current user. The name is fixed so that a later run finds it again; when somebody else holds that name (or left it
 * writable), a fresh folder with a random name takes its place.
 */
export async function ownedFolder(temporaryFolder: string): Promise<string> {
  const uid = process.getuid?.() ?? 0;
  const parent = await realpath(temporaryFolder);
  const folder = path.join(parent, `tranche-postgres-${uid}`);
  try {
    await mkdir(folder, { mode: 0o711 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  const stats = await lstat(folder);
  const ours = stats.isDirectory() && stats.uid === uid && (stats.mode & 0o022) === 0;
  const trusted = ours ? folder : await mkdtemp(`${folder}-`);
  // mkdir and mkdtemp are subject to the umask.
  await chmod(trusted, 0o711);
  return trusted;
}

/** A short, stable name for a path, so that each project folder has its own cluster. */
export function nameForPath(target: string): string {
  return createHash('sha256').update(path.resolve(target)).digest('hex').slice(0, 16);
}
