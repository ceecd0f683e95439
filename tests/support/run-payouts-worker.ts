import { createInterface } from 'node:readline';
import { applyEnv } from '#lib/base/env.ts';
import { type Ctx, createCtx } from '#lib/ctx.ts';
import { runPayouts } from '#lib/payouts/run-payouts.ts';
import { closeLedger, lazyLedger } from '#lib/xrpl/lazy.ts';
import { gatherLogs } from './gather-logs.ts';

/** What a worker is asked on a line of its input. */
export interface PayoutsTask {
  settings: Record<string, string | undefined>;
  slices: number;
}

/**
 * One operating-system process that pays out. It says `ready` first. For each task on its input, as a line of JSON, it puts
 * the task's settings in force, connects to their ledger and database and says `connected`; upon the next line, whatever it
 * is, it pays as often as the task says, and answers with a line: how many payments it submitted.
 */
gatherLogs();
const SLICE_MS = 20_000;

async function connected(settings: PayoutsTask['settings']): Promise<Ctx> {
  applyEnv(settings);
  const ctx = await createCtx('req_worker', { kind: 'scheduler' }, lazyLedger);
  await Promise.all([ctx.ledger.serverState(), ctx.db.execute('select')]);
  return ctx;
}

async function submittedIn(slices: number, ctx: Ctx): Promise<number> {
  let submitted = 0;
  for (let slice = 0; slice < slices; slice++) {
    submitted += (await runPayouts(ctx, { deadlineMs: ctx.clock.nowMs() + SLICE_MS })).submitted;
  }
  await closeLedger();
  return submitted;
}

const say = (line: string) => process.stdout.write(`${line}\n`);
say('ready');
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
for await (const line of lines) {
  const { settings, slices } = JSON.parse(line) as PayoutsTask;
  const ctx = await connected(settings);
  say('connected');
  await lines.next();
  say(String(await submittedIn(slices, ctx)));
}
