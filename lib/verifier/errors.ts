import * as z from 'zod';

/** What keeps a verification from going on: a question that makes no sense, the ledger, or the platform. */
type ReadErrorCode = 'invalid_request' | 'ledger_unavailable' | 'rate_limited' | 'service_unavailable';

/** The ledger or the platform could not be read. The codes are those of the platform's own errors. */
export class ReadError extends Error {
  readonly code: ReadErrorCode;
  /** What was wrong, for the reader. */
  readonly detail: string;

  constructor(code: ReadErrorCode, detail: string, options: ErrorOptions = {}) {
    super(`${code}: ${detail}`, options);
    this.name = 'ReadError';
    this.code = code;
    this.detail = detail;
  }
}

export const ledgerUnavailable = (detail: string, cause?: unknown): ReadError =>
  new ReadError('ledger_unavailable', detail, { cause });

/** True for an error with this code, also for one of the platform's own: a source may be the platform itself. */
export const isLedgerUnavailable = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ledger_unavailable';

/** A server's own error answer to a request, by its code (`actNotFound`, `lgrIdxMalformed`, …). */
export class LedgerFault extends Error {
  readonly code: string;
  /** The ledger that the server has looked into; null where it does not say. */
  readonly ledgerIndex: number | null;
  constructor(code: string, message: string, ledgerIndex: number | null = null) {
    super(`${code}: ${message}`);
    this.name = 'LedgerFault';
    this.code = code;
    this.ledgerIndex = ledgerIndex;
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
export const isUnexpectedAnswer = (error: unknown): boolean => isRefusal(error) || error instanceof z.ZodError;

/** True when a server that works does not know the command: some exist on Clio only. */
export const lacksCommand = (error: unknown): boolean => error instanceof LedgerFault && error.code === 'unknownCmd';
