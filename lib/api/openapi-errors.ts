import type { Contract } from '#lib/base/contract.ts';
import { ERROR_STATUS, type ErrorCode } from '#lib/base/errors.ts';
import { LIMITS_PER_MINUTE } from './rate-limit.ts';

/** Every problem code that the operation can answer with: its own, and those of the checks it passes through. */
export function problemCodesOf(contract: Contract): ErrorCode[] {
  const isPublicOnly = contract.access.every(({ kind }) => kind === 'public');
  // Whoever may come without a credential may come with another's.
  const isPublic = contract.access.some(({ kind }) => kind === 'public');
  const isQueue = contract.access.some(({ kind }) => kind === 'queue');
  // The last one while the database is away.
  const codes: ErrorCode[] = ['internal_error', 'invalid_request', 'service_unavailable'];
  if (contract.method !== 'GET') codes.push('payload_too_large', 'malformed_json');
  if (contract.body !== undefined) codes.push('unsupported_media_type');
  if (!isPublicOnly) codes.push('unauthorized');
  if (!isPublic && !isQueue) codes.push('forbidden');
  // Internal operations limit refusals.
  if (LIMITS_PER_MINUTE[contract.rateLimit] !== null || !isPublicOnly) codes.push('rate_limited');
  if (contract.idempotent === true) codes.push('idempotency_key_in_use', 'idempotency_key_reused');
  return [...new Set([...codes, ...(contract.errors ?? [])])].toSorted();
}

/** The same, by HTTP status. */
export function problemCodesByStatus(contract: Contract): Map<number, ErrorCode[]> {
  return Map.groupBy(problemCodesOf(contract), (code) => ERROR_STATUS[code]);
}
