import { open } from 'node:fs/promises';

const READ_BYTES = 65_536;
// Structured logs carry whole stack traces in a line.
const SHOWN_CHARACTERS = 300;

async function readEnd(logFile: string): Promise<string> {
  const file = await open(logFile);
  try {
    const { size } = await file.stat();
    const buffer = Buffer.alloc(READ_BYTES);
    const { bytesRead } = await file.read({ buffer, position: Math.max(0, size - READ_BYTES) });
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** The last lines of a log file, each led by `name |`; empty when there is nothing to show. */
export async function logTail(name: string, logFile: string, lineCount = 12): Promise<string> {
  try {
    const end = await readEnd(logFile);
    const lines = end.trimEnd().split('\n').slice(-lineCount);
    return lines.every((line) => line.trim() === '')
      ? ''
      : lines.map((line) => `  ${name} | ${line.slice(0, SHOWN_CHARACTERS)}`).join('\n');
  } catch {
    return '';
  }
}
