import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Worker } from '#tests/faults/crew.ts';

const PROCESS = pathToFileURL(path.resolve(import.meta.dirname, '../../faults/process.ts')).href;
/** A process with one step. */
const PROGRAM = `
import { makeStep, runAppProcess } from ${JSON.stringify(PROCESS)};
await runAppProcess({ perform: (task) => makeStep('note', async () => task) });`;
/** Longer than a process needs to stop itself, and than its parent waits before it tells one again to go on. */
const BUSY_MS = 300;
/** Many times as long as its own task. */
const TASKS = 20;

let folder: string;
let worker: Worker;
let other: Worker;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'crew-'));
  const script = path.join(folder, 'worker.mjs');
  await writeFile(script, PROGRAM);
  [worker, other] = [new Worker(script, null), new Worker(script, null)];
});
afterAll(async () => {
  worker.kill();
  other.kill();
  await rm(folder, { recursive: true, force: true });
});

/** Orders a task that stops the process, and hears of it only after so long. */
async function stopOnce(number: number, busyMs: number) {
  worker.arm({ step: 'note', side: 'before', nth: 1, signal: 'SIGSTOP' });
  const end = worker.perform(number, () => undefined);
  // After this turn come the timers, and only then what processes have told.
  await setImmediate();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, busyMs);
  return end;
}

test('a process that was stopped and went on stops again, however busy its campaign is', async () => {
  for (const number of [1, 2, 3]) {
    const end = await stopOnce(number, number === 1 ? 0 : BUSY_MS);
    if (end.kind !== 'stopped') throw new Error(`It was ${end.kind}`);
    // Others work meanwhile. What it told of its end by now would never be heard.
    for (let task = 0; task < TASKS; task++) await other.perform(task, () => undefined);
    expect(await end.goOn()).toEqual({ kind: 'done', result: number });
  }
});
