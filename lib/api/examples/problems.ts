import { ERROR_STATUS, ERROR_TITLE, type ErrorCode } from '#lib/base/errors.ts';
import type { Problem } from '../problem.ts';
import { exampleId } from './fields.ts';

const DETAIL: Record<ErrorCode, string> = {
  invalid_request:
    'wallet_address: is not a valid XRP Ledger account address: its checksum does not fit, so a character is wrong or missing. Copy it again from the wallet',
  malformed_json: 'The body is not valid JSON.',
  unauthorized: 'Send a valid credential as Authorization: Bearer <token>.',
  forbidden: 'This API key lacks the scope webhooks:write. Use a key that has it, or create one.',
  not_eligible: 'The wallet holds too few tokens for a Platform ID.',
  invalid_proof: 'The signature does not fit the challenge and the key.',
  not_found: 'There is no such thing here.',
  project_not_found: 'There is no project with this id.',
  investment_not_found: 'There is no investment with this id.',
  webhook_not_found: 'There is no webhook with this id.',
  platform_id_not_found: 'This wallet has no Platform ID.',
  method_not_allowed: 'PUT is not allowed here; use GET, HEAD, OPTIONS.',
  conflict: 'It has changed meanwhile. Read it again.',
  transition_not_allowed: 'A completed project cannot be paused.',
  idempotency_key_in_use: 'The first request with this Idempotency-Key is still under way.',
  idempotency_key_reused: 'This Idempotency-Key came with another request before.',
  launch_not_ready: 'The distributor holds fewer tokens than the tiers sell.',
  limit_reached: 'At most 3 webhooks. Delete one, or prove the wallet.',
  gone: 'Its payload was pruned after the retention time.',
  payload_too_large: 'The body must be at most 65536 bytes.',
  unsupported_media_type: 'Send the body as Content-Type: application/json.',
  rate_limited: 'At most 120 requests a minute. Try again in 12 s.',
  internal_error: 'Something went wrong on our side. Try again; quote the request_id to support.',
  not_implemented: 'This operation is documented but not available in this version yet.',
  service_unavailable: 'This cannot be done right now. Try again in a minute.',
  ledger_unavailable: 'The ledger cannot be reached. Try again in a minute.',
};

/** A problem with this code as the platform answers it. */
function exampleProblem(code: ErrorCode): Problem {
  const [, field = '', message = ''] = /^(body\.\w+): (.*)$/.exec(DETAIL[code]) ?? [];
  return {
    type: `urn:tranche:problem:${code}`,
    title: ERROR_TITLE[code],
    status: ERROR_STATUS[code],
    detail: DETAIL[code],
    code,
    request_id: exampleId('req'),
    ...(field === '' ? {} : { errors: [{ field, message }] }),
  };
}

/** One example a code, by the code. */
export const problemExamples = (codes: ReadonlySet<ErrorCode>) =>
  Object.fromEntries(
    [...codes].toSorted().map((code) => [code, { summary: ERROR_TITLE[code], value: exampleProblem(code) }]),
  );
