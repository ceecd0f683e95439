import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { format } from 'node:util';
import { evidenceFolder } from './secrets.ts';

const IS_GATHERED = Symbol.for('tranche.tests.logs-gathered');
const LOG_LINE = /^\{"level":/;

/**
 * What libraries say through the console comes from the runner's own one, of which each test file may have another: both
 * are called for each file.
 */
export function gatherConsole(): void {
  const folder = evidenceFolder();
  const { console: printer } = globalThis;
  if (folder === undefined || Reflect.has(printer, IS_GATHERED)) return;
  Reflect.set(printer, IS_GATHERED, true);
  for (const name of ['debug', 'info', 'log', 'warn', 'error', 'trace'] as const) {
    printer[name] = new Proxy(printer[name], {
      apply(write, _, args: unknown[]) {
        appendFileSync(path.join(folder, `${process.pid}.log`), `${format(...args)}\n`);
        return Reflect.apply(write, printer, args);
      },
    });
  }
}

/**
 * From here on the log lines of this process go to the run's evidence instead of the terminal, and all else that it
 * prints goes to both. Once a process, however often it is called.
 */
export function gatherLogs(): void {
  const folder = evidenceFolder();
  if (folder === undefined || Reflect.has(process, IS_GATHERED)) return;
  Reflect.set(process, IS_GATHERED, true);
  const file = path.join(folder, `${process.pid}.log`);
  for (const stream of [process.stdout, process.stderr]) {
    stream.write = new Proxy(stream.write, {
      apply(write, _, args: Parameters<typeof stream.write>) {
        const text = typeof args[0] === 'string' ? args[0] : Buffer.from(args[0]).toString();
        appendFileSync(file, text);
        return LOG_LINE.test(text) || Reflect.apply(write, stream, args);
      },
    });
  }
}
