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
  /** Why there are no figures; null when there are. */
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

async function readReported(file: string): Promise<Figure[]> {
  try {
    return (JSON.parse(await readFile(file, 'utf8')) as Reported).figures;
  } catch {
    return [];
  }
}

/** Runs a benchmark to its end, or for so long, and takes its figures. Never throws for what goes wrong in it. */
export async function runBench(
  bench: Bench,
  { isQuick, timeoutMs, commit }: { isQuick: boolean; timeoutMs: number; commit: string },
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
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output = `${output}${chunk}`.slice(-KEPT_CHARACTERS);
      process.stdout.write(chunk);
    });
  }
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, timeoutMs);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  const figures = await readReported(file);
  await rm(folder, { recursive: true, force: true });
  const why = isLate
    ? `not done after ${Math.round(timeoutMs / 60_000)} minutes`
    : `no figures, exit code ${code}: ${lastLineOf(output)}`;
  return {
    name: bench.name,
    title: bench.title,
    figures,
    failure: figures.length > 0 && !isLate ? null : why,
    ...begun,
    elapsedMs: performance.now() - startedAt,
    commit,
    isQuick,
  };
}
