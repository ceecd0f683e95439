import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { givenSettings } from '#lib/base/env.ts';
import { loadSettings } from '#lib/base/load-settings.ts';
import { makeToken, USAGE } from './command.ts';

const say = {
  out: (text: string) => void process.stdout.write(`${text}\n`),
  err: (text: string) => void process.stderr.write(`${text}\n`),
};

try {
  const { values } = parseArgs({
    options: {
      name: { type: 'string' },
      role: { type: 'string' },
      settings: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) say.out(USAGE);
  else {
    loadSettings(values.settings);
    process.exitCode = makeToken(values, givenSettings().ADMIN_TOKENS ?? '', randomBytes, say);
  }
} catch (error) {
  say.err(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  process.exitCode = 1;
}
