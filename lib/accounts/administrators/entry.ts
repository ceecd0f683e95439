import type { AdminRole } from '#lib/base/contract.ts';

/** One entry of ADMIN_TOKENS: `name:role:sha256-of-token`. */
export interface AdministratorEntry {
  name: string;
  role: AdminRole;
  /** SHA-256 of the token, lower-case hex. */
  tokenHash: string;
}

export const formatEntry = ({ name, role, tokenHash }: AdministratorEntry): string => `${name}:${role}:${tokenHash}`;

/** Reads an entry that the settings' schema has let through. */
export function parseEntry(entry: string): AdministratorEntry {
  const [name = '', role = '', tokenHash = ''] = entry.split(':');
  return { name, role: role === 'operator' ? 'operator' : 'read_only', tokenHash };
}
