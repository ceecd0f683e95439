import type { AdminRole } from '#lib/base/contract.ts';
import { env } from '#lib/base/env.ts';
import { constantTimeEqual, sha256Hex } from '#lib/base/secretbox.ts';
import { parseEntry } from './entry.ts';

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
