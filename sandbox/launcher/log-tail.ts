import { open } from 'node:fs/promises';

const READ_BYTES = 65_536;
// Structured logs carry whole stack traces in a line.
const SHOWN_CHARACTERS = 300;

/** The last lines of a log file, each led by `name |`; empty when there is nothing to show. */
export async function logTail(name: string, logFile: string, lineCount = 12): Promise<string> {
  try {
    await using file = await open(logFile);
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read({
      buffer: Buffer.alloc(READ_BYTES),
      position: Math.max(0, size - READ_BYTES),
    });
    const lines = buffer.toString('utf8', 0, bytesRead).trimEnd().split('\n').slice(-lineCount);
    return lines.every((line) => line.trim() === '')
      ? ''
      : lines.map((line) => `  ${name} | ${line.slice(0, SHOWN_CHARACTERS)}`).join('\n');
  } catch {
    return '';
  }
}
