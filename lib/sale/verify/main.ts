import { parseArgs } from 'node:util';
import { runCommand } from './command.ts';

const { values } = parseArgs({
  options: {
    'base-url': { type: 'string' },
    project: { type: 'string' },
    ledger: { type: 'string' },
    'as-of': { type: 'string' },
    state: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});

process.exitCode = await runCommand(values, {
  out: (text) => void process.stdout.write(`${text}\n`),
  err: (text) => void process.stderr.write(`${text}\n`),
});
