import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import type { Figure, Reported } from '../figures.ts';
import type { Bench } from './benches.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const KEPT_CHARACTERS = 2_000;

/** What came of one benchmark. */
export interface Result {
  name: string;
  title: string;
  figures: Figure[];
  /** Why these are not all figures; null when they are. */
  failure: string | null;
  /** Of the machine when it began: others at work make every figure worse. */
  loadBefore: number;
  elapsedMs: number;
  at: string;
  commit: string;
  isQuick: boolean;
}

/** The last line that says something. */
const lastLineOf = (output: string): string => {
  const lines = output.split('\n').map((line) => line.trim());
  return lines.findLast((line) => line.includes('Error:')) ?? lines.findLast((line) => line !== '') ?? '';
};

async function readReported(file: string): Promise<Pick<Reported, 'figures' | 'isWhole'>> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Reported;
  } catch {
    return { figures: [], isWhole: false };
  }
}

/** Runs a benchmark to its end, for so long, or until it is stopped, and takes its figures. Never throws for what goes wrong in it. */
export async function runBench(
  bench: Bench,
  { isQuick, timeoutMs, commit, stop }: { isQuick: boolean; timeoutMs: number; commit: string; stop: AbortSignal },
): Promise<Result> {
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-'));
  const file = path.join(folder, 'figures.json');
  const startedAt = performance.now();
  const begun = { loadBefore: loadavg()[0] ?? 0, at: new Date().toISOString() };
  // In a group of its own: what a benchmark started ends with it, also when it is cut off.
  const child = spawn(process.execPath, [...bench.args, ...(isQuick ? bench.quick : [])], {
    cwd: ROOT,
    env: { ...process.env, BENCH_FIGURES: file },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const endGroup = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // Nobody of it is left.
    }
  };
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output = `${output}${chunk}`.slice(-KEPT_CHARACTERS);
      process.stdout.write(chunk);
    });
  }
  const closed = once(child, 'close');
  const late = AbortSignal.timeout(timeoutMs);
  const cutOff = AbortSignal.any([late, stop]);
  cutOff.addEventListener('abort', endGroup);
  // Not `close`: a process that was left behind holds the output open.
  const [code] = (await once(child, 'exit')) as [number | null];
  cutOff.removeEventListener('abort', endGroup);
  endGroup();
  await closed;
  const { figures, isWhole } = await readReported(file);
  await rm(folder, { recursive: true, force: true });
  const why = stop.aborted
    ? 'stopped'
    : late.aborted
      ? `not done after ${Math.round(timeoutMs / 60_000)} minutes`
      : `exit code ${code}: ${lastLineOf(output)}`;
  return {
    name: bench.name,
    title: bench.title,
    figures,
    failure: isWhole ? null : why,
    ...begun,
    elapsedMs: performance.now() - startedAt,
    commit,
    isQuick,
  };
}
