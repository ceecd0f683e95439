import { format, stripVTControlCharacters } from 'node:util';
import { type Logger, logger } from './log.ts';

const MOST_CHARACTERS = 4_000;
/** What could begin a line of its own, or move a terminal's cursor. */
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
