import { LedgerFault, ReadError } from '@tranche/verifier/errors.ts';
import { z } from 'zod';
import { PlatformError } from '#lib/base/errors.ts';

const errorAnswer = z.lazy(() =>
  z.object({
    error: z.string(),
    error_message: z.string().optional(),
    error_exception: z.string().optional(),
    ledger_index: z.int().nullable().default(null).catch(null),
  }),
);

/** The server's error answer inside an error of xrpl.js; null when the transport failed instead. */
export function faultOf(error: unknown): LedgerFault | null {
  if (!(error instanceof Error) || error.name !== 'RippledError' || !('data' in error)) return null;
  const answer = errorAnswer.safeParse(error.data);
  if (!answer.success) return null;
  const { error: code, error_message: message, error_exception: exception, ledger_index: ledgerIndex } = answer.data;
  return new LedgerFault(code, message ?? exception ?? '', ledgerIndex);
}

/** True for the given error answers; for `catch` blocks that turn "not found" into null. */
export const isFault = (error: unknown, ...codes: string[]): error is LedgerFault =>
  error instanceof LedgerFault && codes.includes(error.code);

/** The server does not hold the ledgers that were asked for, or not all of them (docs/ledger-facts.md, 6). */
export const RANGE_FAULTS = ['lgrIdxMalformed', 'lgrIdxsInvalid', 'invalidLgrRange'] as const;

/** The server's answer; null when it is one of these error answers, such as that there is no such account. */
export const orNull = <T>(answer: Promise<T>, ...codes: string[]): Promise<T | null> =>
  answer.catch((error) => {
    if (isFault(error, ...codes)) return null;
    throw error;
  });

export const ledgerUnavailable = (detail: string, cause?: unknown): PlatformError =>
  new PlatformError('ledger_unavailable', detail, { cause });

/** The platform's own error for what a reader of the verifier throws; any other error as it is. */
export const platformError = (error: unknown): unknown =>
  error instanceof ReadError ? new PlatformError(error.code, error.detail, { cause: error.cause }) : error;
