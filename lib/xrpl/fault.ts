import { z } from 'zod';
import { PlatformError } from '#lib/base/errors.ts';

/** A server's own error answer to a request, by its code (`actNotFound`, `lgrIdxMalformed`, …). */
export class LedgerFault extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(`${code}: ${message}`);
    this.name = 'LedgerFault';
    this.code = code;
  }
}

/**
 * Codes of a server that is behind, overloaded or holds too little history: another one may answer
 * (docs/ledger-facts.md, 6).
 */
const ANOTHER_SERVER_MAY_ANSWER = new Set([
  'amendmentBlocked',
  'failedToForward',
  'forbidden',
  'internal',
  'lgrIdxMalformed',
  'lgrIdxsInvalid',
  'lgrNotFound',
  'lgrNotValidated',
  'invalidLgrRange',
  'noClosed',
  'noCurrent',
  'noNetwork',
  'notReady',
  'notSynced',
  'slowDown',
  'tooBusy',
  'unknownCmd',
]);

/** True when the server refused the question itself, and any other one would too. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof LedgerFault && !ANOTHER_SERVER_MAY_ANSWER.has(error.code);

/** True when a server that works gave an answer that says nothing about the ledger: a refusal, or one of another form. */
export const isOddAnswer = (error: unknown): boolean => isRefusal(error) || error instanceof z.ZodError;

/** True when a server that works does not know the command: some exist on Clio only. */
export const lacksCommand = (error: unknown): boolean => error instanceof LedgerFault && error.code === 'unknownCmd';

const errorAnswer = z.object({
  error: z.string(),
  error_message: z.string().optional(),
  error_exception: z.string().optional(),
});

/** The server's error answer inside an error of xrpl.js; null when the transport failed instead. */
export function faultOf(error: unknown): LedgerFault | null {
  if (!(error instanceof Error) || error.name !== 'RippledError' || !('data' in error)) return null;
  const answer = errorAnswer.safeParse(error.data);
  if (!answer.success) return null;
  return new LedgerFault(answer.data.error, answer.data.error_message ?? answer.data.error_exception ?? '');
}

/** True for the given error answers; for `catch` blocks that turn "not found" into null. */
export const isFault = (error: unknown, ...codes: string[]): error is LedgerFault =>
  error instanceof LedgerFault && codes.includes(error.code);

export const ledgerUnavailable = (detail: string, cause?: unknown): PlatformError =>
  new PlatformError('ledger_unavailable', detail, { cause });
