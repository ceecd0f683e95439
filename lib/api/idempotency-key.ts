import { nameOf } from '#lib/audit.ts';
import type { Contract } from '#lib/base/contract.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { KeyPlace } from '#lib/base/idempotency-rows.ts';
import type { Actor } from '#lib/ctx.ts';
import { KEY_FORM } from './idempotency-key-form.ts';

const FIELD = 'Idempotency-Key';

const fault = (message: string) =>
  new PlatformError('invalid_request', `${FIELD}: ${message}`, { errors: [{ field: FIELD, message }] });

/**
 * The key that a request carries, within the credential that it belongs to; null where the header is missing. Throws
 * `invalid_request` where nobody would look at it, because a client that sends one relies on it: a POST that keeps no
 * answers, and a caller without a credential. GET, PUT, PATCH and DELETE do nothing more when they come again.
 */
export function idempotencyKeyOf(contract: Contract, headers: Headers, actor: Actor): KeyPlace | null {
  const key = headers.get('idempotency-key');
  if (key === null || contract.method !== 'POST' || actor.kind === 'queue') return null;
  if (contract.idempotent !== true) throw fault('is not taken by this operation; leave it out');
  if (actor.kind === 'anonymous') throw fault('is taken with a credential only; send one, or leave it out');
  if (!KEY_FORM.test(key)) throw fault('must be 1 to 255 visible ASCII characters, given once');
  return { scope: nameOf(actor), key };
}
