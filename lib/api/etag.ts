import { createHash } from 'node:crypto';

/** 144 bits of the SHA-256: no two bodies of one address will ever share it. */
const TAG_LENGTH = 24;

/** A strong ETag (RFC 9110 section 8.8.3) of what decides every byte of a body: the body itself, or its name. */
export const etagOf = (content: string | Uint8Array): string =>
  `"${createHash('sha256').update(content).digest('base64url').slice(0, TAG_LENGTH)}"`;

/**
 * Whether an If-None-Match names the tag: a list, weak tags included, because proxies that compress a body weaken its
 * tag; or `*`, which any body matches.
 */
export function isNamed(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.match(/"[\x21\x23-\x7e\x80-\xff]*"/g)?.includes(etag) ?? false;
}
