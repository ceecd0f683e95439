import { parseArgs } from 'node:util';
import { type CommandOptions, NOT_CHECKED, runCommand, USAGE } from './command.ts';

const say = {
  out: (text: string) => void process.stdout.write(`${text}\n`),
  err: (text: string) => void process.stderr.write(`${text}\n`),
};

function readOptions(): (CommandOptions & { help?: boolean }) | null {
  try {
    return parseArgs({
      options: {
        'base-url': { type: 'string' },
        project: { type: 'string' },
        ledger: { type: 'string' },
        'as-of': { type: 'string' },
        state: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false, short: 'h' },
      },
    }).values;
  } catch (error) {
    say.err(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    return null;
  }
}

const options = readOptions();
if (options === null) process.exitCode = NOT_CHECKED;
else if (options.help === true) say.out(USAGE);
else process.exitCode = await runCommand(options, say);
