import { InvalidArgumentError } from 'commander';

/** The value of a flag that counts from 0. */
export function whole(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) throw new InvalidArgumentError('must be a whole number');
  return value;
}

/** The value of a flag that counts from 1. */
export function positive(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('must be a whole number, 1 or more');
  return value;
}

/** Prints a line of a campaign's report. */
export const say = (line: string): void => void process.stdout.write(`${line}\n`);
