import { type Contract, KEY_FORM } from '#lib/base/contract.ts';
import { fieldError } from '#lib/base/errors.ts';
import type { IdempotencyScope } from '#lib/base/idempotency-rows.ts';
import { sha256Hex } from '#lib/base/secretbox.ts';
import { type Actor, nameOf } from '#lib/ctx.ts';

const fault = (message: string) => fieldError('Idempotency-Key', message);

/**
 * The key that a request carries, within the credential that it belongs to; null where the header is missing. Throws
 * `invalid_request` where nobody would look at it, because a client that sends one relies on it: a POST that keeps no
 * answers, and a caller without a credential. GET, PUT, PATCH and DELETE do nothing more when they come again.
 */
export function idempotencyKeyOf(contract: Contract, headers: Headers, actor: Actor): IdempotencyScope | null {
  const key = headers.get('idempotency-key');
  if (key === null || contract.method !== 'POST' || actor.kind === 'queue') return null;
  if (contract.idempotent !== true) throw fault('is not accepted by this operation; omit it');
  if (actor.kind === 'anonymous') throw fault('requires a credential; send one, or omit the header');
  if (!KEY_FORM.test(key)) throw fault('must be 1 to 255 visible ASCII characters, given once');
  return { scope: actor.kind === 'member' ? `member:${actor.memberId}` : nameOf(actor), key };
}

/** SHA-256, hex, of what a request asks: the two path forms of one operation are the same. */
export const requestHashOf = (method: string, url: URL, rawBody: string): string =>
  sha256Hex(JSON.stringify([method, url.pathname.replace(/^\/api(?=\/)/, ''), url.search, rawBody]));
