import { parseArgs } from 'node:util';
import { containsSeed } from '#lib/base/seed-text.ts';
import { type KeyOptions, makeKey, USAGE } from './key-command.ts';

const say = {
  out: (text: string) => void process.stdout.write(`${text}\n`),
  err: (text: string) => void process.stderr.write(`${text}\n`),
};

const SEED_GIVEN =
  'A seed stands on the command line, where other users of this machine and your shell’s history can read it. Nothing was sent. Consider it known to others, move the funds, and give a file with --seed-file.';

function readOptions(): (KeyOptions & { help?: boolean }) | null {
  // Before anything else: the parser's own messages quote what they do not know.
  if (process.argv.slice(2).some(containsSeed)) {
    say.err(SEED_GIVEN);
    return null;
  }
  try {
    return parseArgs({
      options: {
        'base-url': { type: 'string' },
        'seed-file': { type: 'string' },
        algorithm: { type: 'string' },
        address: { type: 'string' },
        name: { type: 'string' },
        scopes: { type: 'string' },
        'expires-in-days': { type: 'string' },
        help: { type: 'boolean', default: false, short: 'h' },
      },
    }).values;
  } catch (error) {
    say.err(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    return null;
  }
}

const options = readOptions();
if (options === null) process.exitCode = 1;
else if (options.help === true) say.out(USAGE);
else process.exitCode = await makeKey(options, say);
