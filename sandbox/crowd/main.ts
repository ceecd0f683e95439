import { parseCrowdOptions } from './options.ts';
import { runCrowd } from './run.ts';

/** The program of the crowd's process. Its output is the crowd's log; what the launcher should say goes by message. */

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());

const report = (line: string) => process.stdout.write(`${new Date().toISOString()} ${line}\n`);
const { paymentCount, ending } = await runCrowd(parseCrowdOptions(process.env.CROWD_OPTIONS), stopping.signal, report);
if (!stopping.signal.aborted) {
  const line = `${ending}, ${paymentCount} payments were sent`;
  report(line);
  await new Promise((sent) => (process.send ? process.send(line, sent) : sent(null)));
}
process.exit(0);
