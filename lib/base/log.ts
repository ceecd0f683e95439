import pino, { type Logger as PinoLogger } from 'pino';
import { env } from './env.ts';
import { held } from './held.ts';

export type Logger = PinoLogger;

/** Paths whose values never reach a log line. */
const REDACTED = [
  'secret',
  'api_key',
  'apiKey',
  'token',
  'authorization',
  'seed',
  'password',
  '*.secret',
  '*.api_key',
  '*.apiKey',
  '*.token',
  '*.authorization',
  '*.seed',
  '*.password',
  'headers.authorization',
];

/**
 * Text that looks like a credential, wherever it stands: ledger seeds (the Ed25519 form inside a word, too, as seed-text.ts
 * has it), API keys, webhook secrets, bearer headers, URL passwords.
 */
const SECRET_TEXT =
  /(?:(?<![0-9A-Za-z])|(?<=%[0-9A-Fa-f]{2})|(?<=\\(?:[bfnrt]|u[0-9A-Fa-f]{4})))(?:s(?:Ed)?[1-9A-HJ-NP-Za-km-z]{27,30}(?![0-9A-Za-z])|tr_(?:(?:live|test)_[0-9A-Za-z]{38}|admin_[0-9A-Za-z]{43})(?![0-9A-Za-z])|whsec_[A-Za-z0-9+/=]+)|sEd[1-9A-HJ-NP-Za-km-z]{28}|(?<=[Bb]earer )\S+|(?<=:\/\/[^\s:/@]{0,64}:)[^\s@/]+(?=@)/g;

/** Replaces anything that looks like a credential. Used on every text that leaves the process by a log. */
export const redactText = (text: string): string => text.replace(SECRET_TEXT, '[redacted]');

/** A failed statement quotes all its parameters, signed transactions among them: from here on nothing belongs into a log. */
const STATEMENT_PARAMETERS = /\bparams: [\s\S]*$/;

/** An error as a log line holds it: message, stack, code and causes, without statement parameters. */
export function serialiseError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const message = error.message.replace(STATEMENT_PARAMETERS, 'params: [left out]');
  // The stack begins with the message, whose parameters may hold lines that look like frames: replace it as a whole.
  const stack = (error.stack ?? '').replace(error.message, () => message);
  return {
    type: error.name,
    message,
    stack: stack.includes('params: ') && !stack.includes(message) ? message : stack,
    ...('code' in error ? { code: error.code } : {}),
    // The number that the page of a failure shows (Next.js).
    ...('digest' in error ? { digest: error.digest } : {}),
    ...(error instanceof AggregateError ? { errors: error.errors.map(serialiseError) } : {}),
    ...(error.cause === undefined ? {} : { cause: serialiseError(error.cause) }),
  };
}

/** A logger whose lines pass the filter for secrets before `write` gets them. */
export function createLogger(level: string, write: (line: string) => void): Logger {
  return pino(
    {
      level,
      base: null,
      redact: { paths: REDACTED, censor: '[redacted]' },
      formatters: { level: (level) => ({ level }) },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: serialiseError, error: serialiseError },
    },
    // Every line passes the filter as text, so a secret inside an error message or a URL cannot slip through a field nobody listed.
    { write: (line: string) => write(redactText(line)) },
  );
}

const root = held(
  () => [env().LOG_LEVEL],
  () => createLogger(env().LOG_LEVEL, (line) => void process.stdout.write(line)),
);

/** The process-wide logger. */
export const logger = (): Logger => root.get();
