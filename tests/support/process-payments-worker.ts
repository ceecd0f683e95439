import { createCtx } from '#lib/ctx.ts';
import { processPayments } from '#lib/jobs/process-payments.ts';
import { closeLedger, lazyLedger } from '#lib/xrpl/lazy.ts';
import { gatherLogs } from './gather-logs.ts';

/**
 * One operating-system process that runs process-payments as often as its first argument says, with the settings of its
 * environment, and prints what each run did as a line of JSON.
 */
gatherLogs();
const runs = Number(process.argv[2] ?? 1);
const ctx = await createCtx('req_worker', { kind: 'scheduler' }, lazyLedger);
for (let run = 0; run < runs; run++) {
  process.stdout.write(`${JSON.stringify(await processPayments(ctx))}\n`);
}
await closeLedger();
