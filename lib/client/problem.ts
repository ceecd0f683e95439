import type { Problem } from './generated.ts';

/** A refusal of the platform (RFC 9457), or of what stands in front of it: then `code` is null. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly status: number;
  /** Stable: decide by it. */
  readonly code: Problem['code'] | null;
  /** Faulty fields, each by its path in the request. */
  readonly errors: readonly { field: string; message: string }[];
  /** Quote it when you ask for help. */
  readonly requestId: string | null;
  /** Seconds until it makes sense to ask again. */
  readonly retryAfter: number | null;

  constructor(status: number, problem: Partial<Problem>, retryAfter: number | null) {
    super(problem.detail ?? problem.title ?? `The answer has status ${status}`);
    this.status = status;
    this.code = problem.code ?? null;
    this.errors = problem.errors ?? [];
    this.requestId = problem.request_id ?? null;
    this.retryAfter = retryAfter;
  }
}

export const problemOf = (status: number, body: unknown, retryAfter: number | undefined): ProblemError =>
  new ProblemError(status, typeof body === 'object' && body !== null ? body : {}, retryAfter ?? null);
