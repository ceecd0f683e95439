import { parseArgs } from 'node:util';
import { env } from '#lib/base/env.ts';
import { loadSettings } from '#lib/base/load-settings.ts';
import { redactText } from '#lib/base/log.ts';
import { runSetup, USAGE } from './command.ts';

const say = {
  out: (text: string) => void process.stdout.write(`${text}\n`),
  err: (text: string) => void process.stderr.write(`${text}\n`),
};

try {
  const { values } = parseArgs({
    options: {
      'dry-run': { type: 'boolean', default: false },
      remove: { type: 'boolean', default: false },
      settings: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) say.out(USAGE);
  else {
    loadSettings(values.settings);
    process.exitCode = await runSetup(env(), { dryRun: values['dry-run'], remove: values.remove }, say);
  }
} catch (error) {
  say.err(redactText(error instanceof Error ? error.message : String(error)));
  process.exitCode = 1;
}
