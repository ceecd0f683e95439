import type { AdminRole } from '#lib/base/contract.ts';
import { env } from '#lib/base/env.ts';
import { constantTimeEqual, sha256Hex } from '#lib/base/secretbox.ts';

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

/** An actor as `ctx` carries it. */
export interface Administrator {
  kind: 'administrator';
  name: string;
  role: AdminRole;
}

/** Several entries may share a name while its token is being replaced: each is tried, found or not, in the same time. */
export function administratorByHash(hash: string): Administrator | null {
  let found: Administrator | null = null;
  for (const entry of env().ADMIN_TOKENS) {
    const { name, role, tokenHash } = parseEntry(entry);
    if (constantTimeEqual(hash, tokenHash)) found = { kind: 'administrator', name, role };
  }
  return found;
}

/** Whose token it is, or null. */
export const administratorOf = (token: string): Administrator | null => administratorByHash(sha256Hex(token));
