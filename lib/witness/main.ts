#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { run } from './commands.ts';

const { values } = parseArgs({ options: { config: { type: 'string', default: 'witness.json' } } });
const terminal = {
  out: (text: string) => void process.stdout.write(`${text}\n`),
  err: (text: string) => void process.stderr.write(`${text}\n`),
  confirm: async () => false,
};
process.exitCode = await run(values, terminal).catch((error: unknown) => {
  terminal.err(error instanceof Error ? error.message : String(error));
  return 1;
});
