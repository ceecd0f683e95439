import { parseArgs } from 'node:util';
import { givenSettings } from '#lib/base/env.ts';
import { loadSettings } from '#lib/base/load-settings.ts';
import { examine } from './examine.ts';
import { reportText } from './report.ts';

const USAGE = `Checks every setting and every service of a deployment, and says what to do about each fault.

npm run doctor [-- --json] [--settings <file>]

  --json      the findings as JSON
  --settings  where settings stand that the environment lacks; .env.local when left out

It changes nothing. Exit code 0: no fault; 1: at least one.`;

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    settings: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) process.stdout.write(`${USAGE}\n`);
else {
  loadSettings(values.settings);
  const diagnosis = await examine(givenSettings(), { nowMs: Date.now, stopwatchMs: () => performance.now() });
  process.stdout.write(`${values.json ? JSON.stringify(diagnosis, null, 2) : reportText(diagnosis)}\n`);
  // A connection that a service keeps open must not keep a finished command waiting.
  process.exit(diagnosis.status === 'fault' ? 1 : 0);
}
