import { format, stripVTControlCharacters } from 'node:util';
import pino, { type Logger as PinoLogger } from 'pino';
import { env } from './env.ts';
import { memoize } from './memoize.ts';

export type Logger = PinoLogger;

const SECRET_FIELDS = ['secret', 'api_key', 'apiKey', 'token', 'authorization', 'seed', 'password'];
/** Paths whose values never reach a log line. */
const REDACTED = [...SECRET_FIELDS, ...SECRET_FIELDS.map((name) => `*.${name}`), 'headers.authorization'];

/**
 * Text that looks like a credential, wherever it stands: ledger seeds (the Ed25519 form inside a word, too, as plain-text.ts
 * has it), API keys, tokens of administrators, members and the portal, webhook secrets, bearer headers, URL passwords.
 */
const SECRET_TEXT =
  /(?:(?<![0-9A-Za-z])|(?<=%[0-9A-Fa-f]{2})|(?<=\\(?:[bfnrt]|u[0-9A-Fa-f]{4})))(?:s(?:Ed)?[1-9A-HJ-NP-Za-km-z]{27,30}(?![0-9A-Za-z])|tr_(?:(?:live|test)_[0-9A-Za-z]{38}|(?:admin|link|portal|member)_[0-9A-Za-z]{43})(?![0-9A-Za-z])|whsec_[A-Za-z0-9+/=]+)|sEd[1-9A-HJ-NP-Za-km-z]{28}|(?<=[Bb]earer )\S+|(?<=:\/\/[^\s:/@]{0,64}:)[^\s@/]+(?=@)/g;

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

const root = memoize(
  () => [env().LOG_LEVEL],
  () => createLogger(env().LOG_LEVEL, (line) => void process.stdout.write(line)),
);

/** The process-wide logger. */
export const logger = (): Logger => root.get();

const MOST_CHARACTERS = 4_000;
/** What could begin a line of its own, or action a terminal's cursor. */
const CONTROLS = /[\p{Cc}\u2028\u2029]+/gu;

type Level = 'error' | 'warn' | 'info' | 'debug';
const LEVELS: Readonly<Record<'error' | 'warn' | 'log' | 'info' | 'debug', Level>> = {
  error: 'error',
  warn: 'warn',
  log: 'info',
  info: 'info',
  debug: 'debug',
};

const textOf = (given: readonly unknown[]): string =>
  stripVTControlCharacters(format(...given))
    .replace(CONTROLS, ' ')
    .trim()
    .slice(0, MOST_CHARACTERS);

/** A printed message as a line of the log: an error among its parts stands in a field of its own. */
function write(log: Logger, level: Level, given: readonly unknown[]): void {
  const err = given.find((part) => part instanceof Error);
  const text = textOf(given.filter((part) => part !== err));
  if (err === undefined) log[level](text);
  else log[level]({ err }, text === '' || text === '\u2a2f' ? err.message.replace(CONTROLS, ' ') : text);
}

/**
 * Sends what Next.js and libraries print through the log: one JSON line a message, without secrets, and without a line
 * that a client could have written into it. `levelOf` may turn a level down.
 */
export function logConsole(levelOf: (level: Level) => Level = (level) => level): void {
  for (const [name, level] of Object.entries(LEVELS) as [keyof typeof LEVELS, Level][]) {
    console[name] = (...given: unknown[]) => write(logger(), levelOf(level), given);
  }
}
