import { expect, test } from 'vitest';
import type { Bench } from '../../../bench/all/benches.ts';
import { runBench } from '../../../bench/all/run.ts';

const REPORT = `import { reportMetrics } from './bench/figures.ts';
const report = (what) => reportMetrics('made up', [{ what, value: 1, unit: 'times' }]);
`;
const madeUp = (source: string): Bench => ({
  name: 'made-up',
  title: 'Made up',
  args: ['--input-type=module', '--eval', REPORT + source],
  quick: [],
});

const run = async (source: string, stop = new AbortController().signal) => {
  const given = { isQuick: false, timeoutMs: 60_000, commit: 'none', stop };
  const { figures, failure } = await runBench(madeUp(source), given);
  return { figures: figures.map(({ what }) => what), failure };
};

test('a benchmark that goes to its end gives the figures of all its parts', async () => {
  expect(await run(`report('first'); process.exitCode = 1; report('second');`)).toEqual({
    figures: ['first', 'second'],
    failure: null,
  });
});

test('what a benchmark had measured stands when a later part fails', async () => {
  expect(await run(`report('first'); throw new Error('the second failed');`)).toEqual({
    figures: ['first'],
    failure: 'exit code 1: Error: the second failed',
  });
});

test('a process that a benchmark leaves behind holds nothing up', async () => {
  const left = `import { spawn } from 'node:child_process';
    spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' }).unref();
    report('first');`;
  expect(await run(left)).toEqual({ figures: ['first'], failure: null });
});

test('a benchmark that is stopped ends at once, and what it had measured stands', async () => {
  const stop = new AbortController();
  const { write } = process.stdout;
  process.stdout.write = ((text: string | Uint8Array, ...rest: never[]) => {
    if (String(text).includes('measured')) stop.abort();
    return Reflect.apply(write, process.stdout, [text, ...rest]);
  }) as typeof write;
  try {
    expect(await run(`report('first'); console.log('measured'); setInterval(() => {}, 1000);`, stop.signal)).toEqual({
      figures: ['first'],
      failure: 'stopped',
    });
  } finally {
    process.stdout.write = write;
  }
});
