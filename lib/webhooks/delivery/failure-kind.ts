import type { deliveryAttempts } from '#drizzle/schema/events.ts';
import { NameNotFound } from './resolve.ts';
import { TargetRefused } from './target-policy.ts';

/** Why an attempt failed, as the log keeps it. */
export type ErrorKind = NonNullable<typeof deliveryAttempts.$inferSelect.errorKind>;

const TLS_CODE =
  /^(ERR_TLS|ERR_SSL|CERT_|CRL_|EPROTO$|DEPTH_ZERO_SELF_SIGNED_CERT$|SELF_SIGNED_CERT|UNABLE_TO_|HOSTNAME_MISMATCH$|INVALID_CA$)/;

function codeOf(error: unknown): string {
  // Several addresses were dialled and each failed: the first one speaks for all.
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Sorts the error of an HTTP exchange that gave no whole answer. */
export function failureKind(error: unknown): ErrorKind {
  if (error instanceof TargetRefused) return 'policy';
  if (error instanceof NameNotFound) return 'dns';
  const code = codeOf(error);
  if (code === 'ECONNREFUSED') return 'refused';
  if (code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT') return 'timeout';
  if (TLS_CODE.test(code)) return 'tls';
  return 'network';
}
