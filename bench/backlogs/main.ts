import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Command, InvalidArgumentError } from 'commander';

const positive = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('must be a whole number, 1 or more');
  return value;
};

const { payments, payouts, deliveries } = new Command('npx tranche bench backlogs')
  .description('Lets payments, payouts and deliveries wait at once, and shows how far each gets in every slice')
  .option('--payments <n>', 'payments that are not read yet', positive, 50_000)
  .option('--payouts <n>', 'payouts that are due', positive, 5_000)
  .option('--deliveries <n>', 'events whose delivery is due', positive, 100_000)
  .parse()
  .opts<{ payments: number; payouts: number; deliveries: number }>();

const vitest = path.join(path.dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const child = spawn(process.execPath, [vitest, 'run', 'tests/integration/jobs/backlogs.test.ts'], {
  stdio: 'inherit',
  env: { ...process.env, BACKLOGS: [payments, payouts, deliveries].join(',') },
});
child.once('exit', (code) => {
  process.exitCode = code ?? 1;
});
