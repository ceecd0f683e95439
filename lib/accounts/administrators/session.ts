import { z } from 'zod';
import type { RandomBytes } from '#lib/base/ids.ts';
import { seal, sha256Hex, unseal } from '#lib/base/secretbox.ts';
import { type Administrator, administratorByHash, administratorOf } from './find-administrator.ts';

/** A working day. Nothing renews it: who works on signs in again. */
export const SESSION_SECONDS = 8 * 3_600;
const CONTEXT = 'operator-session';

const contents = z.object({ hash: z.string().length(64), endsAtMs: z.number() });

/**
 * A session for who has an administrator's token, as the text of a cookie; null for any other token. It holds the token's
 * hash, sealed: taking the entry out of ADMIN_TOKENS ends its sessions at once.
 */
export function openSession(token: string, nowMs: number, random: RandomBytes): string | null {
  if (administratorOf(token) === null) return null;
  return seal(JSON.stringify({ hash: sha256Hex(token), endsAtMs: nowMs + SESSION_SECONDS * 1000 }), CONTEXT, random);
}

/** Whose session it is now; null when it has ended, was altered, or its token is no administrator's any more. */
export function readSession(cookie: string, nowMs: number): Administrator | null {
  let text: string;
  try {
    text = unseal(cookie, CONTEXT);
  } catch {
    return null;
  }
  const read = contents.safeParse(JSON.parse(text));
  if (!read.success || nowMs >= read.data.endsAtMs) return null;
  return administratorByHash(read.data.hash);
}
