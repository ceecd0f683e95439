import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  writeSync,
} from 'node:fs';
import * as z from 'zod';

/** One line: what was asked and what became of it, and the SHA-256 of the line before. */
export const logLine = z.object({
  n: z.int(),
  previous: z.string(),
  at: z.string(),
  event: z.enum(['started', 'signed', 'refused', 'omitted', 'halted', 'resumed']),
  ledger_index: z.int().optional(),
  account: z.string().optional(),
  kind: z.string().optional(),
  purpose: z.string().nullable().optional(),
  purposes: z.array(z.string()).optional(),
  ticket: z.int().optional(),
  sequence: z.int().optional(),
  last_ledger_sequence: z.int().optional(),
  fee_drops: z.string().optional(),
  reason: z.string().optional(),
  detail: z.string().optional(),
  /** Of `omitted`: refusals that were too many in a minute to have a line each. */
  count: z.int().optional(),
  /** SHA-256 of the bytes that were signed. */
  candidate: z.string().optional(),
});
export type LogLine = z.output<typeof logLine>;
export type LogEntry = Omit<LogLine, 'n' | 'previous'>;

export interface WitnessLog {
  /** Writes the entries to the disk before it returns. Throws when that fails: then nothing may be answered. */
  append(entries: readonly LogEntry[]): void;
  close(): void;
}

const NOTHING_BEFORE = '0'.repeat(64);
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

function chained(entries: readonly LogEntry[], from: { n: number; previous: string }) {
  let { n, previous } = from;
  const lines = entries.map((entry) => {
    const line = JSON.stringify({ n, previous, ...entry });
    n += 1;
    previous = sha256(line);
    return `${line}\n`;
  });
  return { text: lines.join(''), next: { n, previous } };
}

/** How much of the end of a log is looked at for its last line. */
const TAIL_BYTES = 64 * 1024;

/**
 * Opens an append-only log and goes on from its last line. A line that a crash has cut off was never answered for: it is
 * taken off. Throws when the last line is none.
 */
export function openLog(file: string): WitnessLog {
  const descriptor = openSync(file, existsSync(file) ? 'r+' : 'w+', 0o600);
  let next = endOf(descriptor, file);
  let end = fstatSync(descriptor).size;
  let isTorn = false;
  return {
    append(entries) {
      if (entries.length === 0) return;
      const { text, next: after } = chained(entries, next);
      // What a write that failed has left behind was never answered for.
      if (isTorn) ftruncateSync(descriptor, end);
      if (fstatSync(descriptor).size !== end) throw new Error(`Another process writes ${file}`);
      isTorn = true;
      const bytes = Buffer.from(text);
      writeWhole(descriptor, bytes, end);
      fsyncSync(descriptor);
      isTorn = false;
      end += bytes.length;
      next = after;
    },
    close: () => closeSync(descriptor),
  };
}

/** A disk that fills up takes a part, and says so only when it is asked to take the rest. */
function writeWhole(descriptor: number, bytes: Buffer, at: number): void {
  let done = 0;
  while (done < bytes.length) {
    const written = writeSync(descriptor, bytes, done, bytes.length - done, at + done);
    if (written === 0) throw new Error('The disk took nothing');
    done += written;
  }
}

function endOf(descriptor: number, file: string): { n: number; previous: string } {
  const { size } = fstatSync(descriptor);
  const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES));
  readSync(descriptor, bytes, 0, bytes.length, size - bytes.length);
  const whole = bytes.lastIndexOf(0x0a) + 1;
  if (whole < bytes.length) ftruncateSync(descriptor, size - bytes.length + whole);
  if (whole === 0) {
    if (size > 0 && size > TAIL_BYTES) throw new Error(`${file} does not end with a line of a witness's log`);
    return { n: 1, previous: NOTHING_BEFORE };
  }
  const start = bytes.lastIndexOf(0x0a, whole - 2) + 1;
  const text = bytes.subarray(start, whole - 1).toString('utf8');
  const { n } = logLine.parse(JSON.parse(text));
  return { n: n + 1, previous: sha256(text) };
}

/** For where no file is kept (a serverless function): the same lines on standard output, a chain for each process. */
export function outputLog(write: (text: string) => void): WitnessLog {
  let next = { n: 1, previous: NOTHING_BEFORE };
  return {
    append(entries) {
      const { text, next: after } = chained(entries, next);
      write(text);
      next = after;
    },
    close: () => undefined,
  };
}

/** Every line of a log. Throws where the chain is broken, with the number of the line. */
export function readLog(file: string): LogLine[] {
  const lines: LogLine[] = [];
  let previous = NOTHING_BEFORE;
  for (const [index, text] of readFileSync(file, 'utf8').split('\n').entries()) {
    if (text === '') continue;
    const line = logLine.parse(JSON.parse(text));
    if (line.previous !== previous || line.n !== index + 1) {
      throw new Error(`Line ${index + 1} does not follow the line before it: the log was changed`);
    }
    previous = sha256(text);
    lines.push(line);
  }
  return lines;
}
