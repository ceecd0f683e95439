import { readFile } from 'node:fs/promises';
import { PostgresFailure } from './failure.ts';

/** The user and group a PostgreSQL process runs as, by number. */
export type Account = { uid: number; gid: number };

const PREFERRED_NAMES = ['postgres', '_postgres', 'nobody', 'daemon'];

/**
 * The account PostgreSQL has to run as: null means the current user is good enough. PostgreSQL refuses to run as root, so
 * root gets an unprivileged account that already exists: initdb looks its user up by number, and nothing must be created.
 */
export async function unprivilegedAccount(): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null;
  const accounts = parsePasswd(await readFile('/etc/passwd', 'utf8'));
  for (const name of PREFERRED_NAMES) {
    const account = accounts.get(name);
    if (account) return account;
  }
  const [any] = accounts.values();
  if (any) return any;
  throw new PostgresFailure('PostgreSQL refuses to run as root, and /etc/passwd holds no other account to run it as.');
}

/** The accounts of an /etc/passwd text by name, without those of root. */
export function parsePasswd(passwd: string): Map<string, Account> {
  const accounts = new Map<string, Account>();
  for (const line of passwd.split('\n')) {
    const [name = '', , uidText = '', gidText = ''] = line.split(':');
    const uid = Number.parseInt(uidText, 10);
    const gid = Number.parseInt(gidText, 10);
    if (name && !name.startsWith('#') && uid !== 0 && Number.isInteger(uid) && Number.isInteger(gid)) {
      accounts.set(name, { uid, gid });
    }
  }
  return accounts;
}
