import { randomBytes } from 'node:crypto';
import type { ZodError } from 'zod';
import { systemClock } from '#lib/base/clock.ts';
import { isDatabaseUnavailable, isLockConflict } from '#lib/base/database-errors.ts';
import { env } from '#lib/base/env.ts';
import { ERROR_TITLE, type ErrorCode, type FieldError, fieldPath, PlatformError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import type { Logger } from '#lib/base/log.ts';
import { logFailure } from '#lib/base/outage-log.ts';

/** Drawn at once for some ninety names: the operating system is asked that much more seldom. */
const POOL_BYTES = 4_096;

let pool: Uint8Array = new Uint8Array(0);

/** Each byte is given out once. */
function pooledBytes(size: number): Uint8Array {
  if (pool.length < size) pool = randomBytes(POOL_BYTES);
  const taken = pool.subarray(0, size);
  pool = pool.subarray(size);
  return taken;
}

/** A new name for a request, in its answer and in the logs; no secret. */
export const newRequestId = (): string => newId('req', pooledBytes);

/** RFC 9457 problem details. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  request_id: string;
  errors?: FieldError[];
}

/** Turns a zod failure of one request part into `invalid_request` with a fault a field. Never quotes a value, nor a name that may be one. */
export function validationError(part: 'body' | 'query' | 'path', error: ZodError): PlatformError {
  const errors = error.issues.flatMap((issue): FieldError[] => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        field: fieldPath(part, [...issue.path, key]),
        message: 'is not a known field',
      }));
    }
    return [{ field: fieldPath(part, issue.path), message: issue.message }];
  });
  const first = errors[0];
  const detail = first === undefined ? 'The request is not valid.' : `${first.field}: ${first.message}`;
  return new PlatformError('invalid_request', detail, { errors: errors.slice(0, 50) });
}

/** The page that explains a code (docs/errors.md); its path alone while the settings cannot be read. */
function explained(code: ErrorCode): string {
  const path = `/docs/errors/${code}`;
  try {
    return new URL(path, env().BASE_URL).href;
  } catch {
    return path;
  }
}

/** The body and the headers of a PlatformError's answer. */
export function problemParts(
  error: PlatformError,
  requestId: string,
): { body: string; headers: Record<string, string> } {
  const problem: Problem = {
    type: explained(error.code),
    title: ERROR_TITLE[error.code],
    status: error.status,
    detail: error.detail,
    code: error.code,
    request_id: requestId,
    ...(error.errors.length === 0 ? {} : { errors: error.errors }),
  };
  const headers = {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'x-request-id': requestId,
    ...error.headers,
  };
  return { body: JSON.stringify(problem), headers };
}

/** A PlatformError as an answer. */
export function answerProblem(error: PlatformError, requestId: string): Response {
  const { body, headers } = problemParts(error, requestId);
  return new Response(body, { status: error.status, headers });
}

const AWAY_SECONDS = 5;

function platformError(failure: unknown): PlatformError {
  if (failure instanceof PlatformError) return failure;
  // Tried again already, as often as is sensible (database-errors.ts).
  if (isDatabaseUnavailable(failure) || isLockConflict(failure)) {
    return new PlatformError('service_unavailable', 'This cannot be done right now. Try again in a few seconds.', {
      cause: failure,
      headers: { 'retry-after': String(AWAY_SECONDS) },
    });
  }
  return new PlatformError(
    'internal_error',
    'Something went wrong on our side. Try again; quote the request_id to support.',
    { cause: failure },
  );
}

/**
 * The answer to any failure: 503 while the database is away, or gave the work up for that of others again and again. What
 * else is not a PlatformError is logged and answered with a constant text. Each failure is found by the id that its answer
 * shows; what an outage causes is one error line for all requests (outage-log.ts).
 */
export function problemResponse(failure: unknown, requestId: string, log: () => Logger): Response {
  const error = platformError(failure);
  if (error.isExpected) log().info({ request_id: requestId }, error.message);
  else if (error.status >= 500) {
    const err = error.code === 'ledger_unavailable' ? error : (error.cause ?? error);
    const isOutage = logFailure({ log: log(), clock: systemClock }, { err, request_id: requestId }, error.message);
    if (isOutage) log().info({ request_id: requestId }, error.message);
  }
  return answerProblem(error, requestId);
}
