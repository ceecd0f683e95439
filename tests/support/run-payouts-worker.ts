import { createCtx } from '#lib/ctx.ts';
import { closeLedger } from '#lib/ledger/lazy.ts';
import { runPayouts } from '#lib/payouts/run-payouts.ts';
import { gatherLogs } from './gather-logs.ts';

/**
 * One operating-system process that pays out as often as its first argument says, with the settings of its environment,
 * and prints what each slice did as a line of JSON. It says `ready` first, and begins when it is told anything.
 */
gatherLogs();
const slices = Number(process.argv[2] ?? 1);
const SLICE_MS = 20_000;
const ctx = await createCtx('req_worker', { kind: 'scheduler' });
await ctx.ledger.serverState();
process.stdout.write('ready\n');
for await (const _ of process.stdin) break;
for (let slice = 0; slice < slices; slice++) {
  const run = await runPayouts(ctx, { deadlineMs: ctx.clock.nowMs() + SLICE_MS });
  process.stdout.write(`${JSON.stringify(run)}\n`);
}
await closeLedger();
