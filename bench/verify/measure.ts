import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Measured, Task } from './worker.ts';

const run = promisify(execFile);
const WORKER = new URL('./worker.ts', import.meta.url).pathname;

/** Does the task in a new process. Throws what that process says when it fails. */
export async function measure(task: Task, flags: readonly string[] = []): Promise<Measured> {
  const { stdout } = await run(process.execPath, [...flags, WORKER, JSON.stringify(task)], { maxBuffer: 2 ** 24 });
  return JSON.parse(stdout) as Measured;
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
