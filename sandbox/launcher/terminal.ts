// The terminal that started us may be gone, or a pipe closed (`| head`): that is no reason to crash.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

/** Writes one line for the person at the terminal. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Writes one line about something that went wrong. */
export function printError(line: string): void {
  process.stderr.write(`${line}\n`);
}
