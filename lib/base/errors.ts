/** Every error code the platform answers with, and the HTTP status it maps to. The one closed list: routes, OpenAPI and docs derive from it. */
export const ERROR_STATUS = {
  invalid_request: 400,
  malformed_json: 400,
  unauthorized: 401,
  forbidden: 403,
  approval_required: 403,
  not_eligible: 403,
  invalid_proof: 403,
  not_found: 404,
  project_not_found: 404,
  investment_not_found: 404,
  webhook_not_found: 404,
  platform_id_not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  transition_not_allowed: 409,
  launch_not_ready: 409,
  limit_reached: 409,
  idempotency_key_in_use: 409,
  gone: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  idempotency_key_reused: 422,
  rate_limited: 429,
  internal_error: 500,
  service_unavailable: 503,
  ledger_unavailable: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

export const ERROR_TITLE: Record<ErrorCode, string> = {
  invalid_request: 'The request is not valid',
  malformed_json: 'The body is not valid JSON',
  unauthorized: 'Authentication is required',
  forbidden: 'This credential may not do that',
  approval_required: 'Another person has to approve this',
  not_eligible: 'The wallet is not eligible',
  invalid_proof: 'The wallet proof is not valid',
  not_found: 'Not found',
  project_not_found: 'Project not found',
  investment_not_found: 'Investment not found',
  webhook_not_found: 'Webhook not found',
  platform_id_not_found: 'Platform ID not found',
  method_not_allowed: 'Method not allowed',
  conflict: 'Conflict with the current state',
  transition_not_allowed: 'This action is not allowed now',
  launch_not_ready: 'The project cannot be launched yet',
  limit_reached: 'A limit is reached',
  idempotency_key_in_use: 'A request with this Idempotency-Key is in progress',
  gone: 'Gone',
  payload_too_large: 'The body is too large',
  unsupported_media_type: 'Unsupported content type',
  idempotency_key_reused: 'The Idempotency-Key was used for another request',
  rate_limited: 'Too many requests',
  internal_error: 'Internal error',
  service_unavailable: 'Service unavailable',
  ledger_unavailable: 'The ledger cannot be reached',
};

/** One field's fault: `field` is its path in the request as the caller wrote it, such as `tiers[0].price_per_token`. */
export interface FieldError {
  field: string;
  message: string;
}

interface PlatformErrorOptions {
  /** Field faults, for `invalid_request`. */
  errors?: FieldError[];
  /** Private; goes to the log only, never to the client. */
  cause?: unknown;
  /** Extra response headers (`Allow`, `Retry-After`). */
  headers?: Record<string, string>;
  /** Nothing has failed: a limit of ours holds. A 5xx is then logged as information. */
  isExpected?: boolean;
}

/** The one error type that verbs throw. `detail` is public text that says what to do; the cause stays private. */
export class PlatformError extends Error {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly errors: FieldError[];
  readonly headers: Record<string, string>;
  readonly isExpected: boolean;

  constructor(code: ErrorCode, detail: string, options: PlatformErrorOptions = {}) {
    super(`${code}: ${detail}`, options.cause === undefined ? {} : { cause: options.cause });
    this.name = 'PlatformError';
    this.code = code;
    this.detail = detail;
    this.errors = options.errors ?? [];
    this.headers = options.headers ?? {};
    this.isExpected = options.isExpected ?? false;
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** The refusal of a request for one field of it: the detail names the field and what is wrong with it. */
export const fieldError = (
  field: string,
  message: string,
  { code = 'invalid_request', cause }: { code?: ErrorCode; cause?: unknown } = {},
): PlatformError => new PlatformError(code, `${field}: ${message}`, { cause, errors: [{ field, message }] });

/** What a field of ours may be called; no secret in any usual form fits. */
const NAME_FORM = /^[a-z0-9_]{1,40}$/;

/**
 * A name that a client chose, as an answer may repeat it: only when it looks like a name, because a secret pasted into
 * the wrong place may stand where a name belongs.
 */
export const shownName = (name: string): string => (NAME_FORM.test(name) ? name : '(unnamed)');

/**
 * Where in its own request a caller finds a field: `tiers[0].price_per_token` in a JSON body, the name of a query or path
 * parameter, and the part itself (`body`, `query`, `path`) for a fault of all of it.
 */
export const fieldPath = (part: 'body' | 'query' | 'path', steps: readonly PropertyKey[]): string =>
  steps.reduce<string>((path, step) => {
    if (typeof step === 'number') return `${path}[${step}]`;
    return path === '' ? shownName(String(step)) : `${path}.${shownName(String(step))}`;
  }, '') || part;
