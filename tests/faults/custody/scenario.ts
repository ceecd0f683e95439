import { randomBytes } from 'node:crypto';
import { Command, InvalidArgumentError, Option } from 'commander';
import { Report } from '#tests/faults/report.ts';
import { PLANTED, type Planted } from './plant.ts';
import { play } from './play.ts';

/** A thief with the platform's key and one witness's, against two honest witnesses (docs/custody.md). No app, no database. */

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const count = (text: string): number => {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new InvalidArgumentError('must be a whole number, 1 or more');
};

const command = new Command('tranche faults custody')
  .description('Lets a thief with the platform’s key and one witness’s try to get more than is owed.')
  .addOption(new Option('--seeds <n>', 'plays').argParser(count).default(4))
  .addOption(new Option('--rounds <n>', 'attacks of a play').argParser(count).default(12))
  .option('--seed <text>', 'what everything is drawn from', randomBytes(4).toString('hex'))
  .addOption(
    new Option('--plant <fault>', 'break the witnesses, to see that it is found').choices(Object.keys(PLANTED)),
  )
  .parse();
const { seeds, rounds, seed, plant } = command.opts<{
  seeds: number;
  rounds: number;
  seed: string;
  plant?: Planted;
}>();

const total = new Report();
let failed = 0;
for (let number = 1; number <= seeds; number++) {
  const own = seeds === 1 ? seed : `${seed}/${number}`;
  const beganAt = performance.now();
  const report = await play(own, { rounds, ...(plant === undefined ? {} : { planted: plant }) }).catch(
    (error: unknown) => {
      const broken = new Report();
      broken.violations.push(`the campaign itself failed: ${error instanceof Error ? error.stack : String(error)}`);
      return broken;
    },
  );
  total.add(report);
  const seconds = Math.round((performance.now() - beganAt) / 1000);
  say(
    `${own}: ${report.sum('answers')} answers, ${report.figure('answers', 'signed')} signed, ${report.sum('submitted')} submitted, ${report.figure('paid', 'obligations')} obligations paid, ${seconds} s`,
  );
  if (report.violations.length === 0) continue;
  failed += 1;
  for (const violation of report.violations.slice(0, 20)) say(`  ${own}: ${violation}`);
  say(
    `FAILED  npx tranche faults custody --seeds 1 --rounds ${rounds} --seed ${own}${plant === undefined ? '' : ` --plant '${plant}'`}`,
  );
  if (plant !== undefined) break;
}
say(`${seeds} seeds, ${failed} failed`);
for (const table of ['attacks', 'answers', 'submitted']) say(`${table.padEnd(11)}${total.listed(table)}`);
process.exitCode = failed > 0 ? 1 : 0;
