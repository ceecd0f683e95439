import { randomBytes } from 'node:crypto';
import { Command, InvalidArgumentError, Option } from 'commander';
import { Report } from '#tests/faults/report.ts';
import { ALL, type AttackName } from './attacks.ts';
import { PLANTED, type Planted } from './plant.ts';
import { play } from './play.ts';
import { Stage } from './stage.ts';
import { answersTo, MOVED, TRIED } from './thief.ts';
import { THREATS } from './threats.ts';

/** A thief with the platform's key and one witness's, against two honest witnesses (docs/custody.md). No app, no database. */

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const count = (text: string): number => {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new InvalidArgumentError('must be a whole number, 1 or more');
};

const EVERY = 'every';
const command = new Command('tranche faults custody')
  .description('Lets a thief with the platform’s key and one witness’s try to get more than is owed.')
  .addOption(new Option('--seeds <n>', 'plays').argParser(count).default(4))
  .addOption(new Option('--rounds <n>', 'attacks of a play on the running sale').argParser(count).default(12))
  .addOption(
    new Option('--lanes <n>', 'plays at the same time, each with processes of its own').argParser(count).default(1),
  )
  .addOption(new Option('--minutes <n>', 'begin no play after so many minutes').argParser(count))
  .option('--seed <text>', 'what everything is drawn from', randomBytes(4).toString('hex'))
  .addOption(new Option('--only <attack>', 'nothing but this attack').choices(Object.keys(ALL)))
  .addOption(
    new Option(
      '--plant <fault>',
      'break the witnesses, to see that it is found; "every" takes one fault after the other',
    ).choices([EVERY, ...Object.keys(PLANTED)]),
  )
  .addHelpText(
    'after',
    `\nAttacks:\n${Object.entries(ALL)
      .map(([name, { tries }]) => `  ${name.padEnd(19)}${tries}`)
      .join('\n')}\n\nThreats of docs/custody.md, and the attacks that try them:\n${Object.entries(THREATS)
      .map(([threat, names]) => `  ${threat}\n    ${names.join(', ')}`)
      .join('\n')}\n\nWith them, in every play: payments of what is owed, all of it in the end.`,
  )
  .parse();
const options = command.opts<{
  seeds: number;
  rounds: number;
  lanes: number;
  minutes?: number;
  seed: string;
  only?: AttackName;
  plant?: Planted | typeof EVERY;
}>();
const { seeds, rounds, seed, only } = options;

interface Campaign {
  total: Report;
  played: number;
  failed: number;
}

const endsAt = options.minutes === undefined ? Number.POSITIVE_INFINITY : performance.now() + options.minutes * 60_000;
const secondsSince = (startedAt: number): number => Math.round((performance.now() - startedAt) / 1000);
const seedOf = (number: number): string => (seeds === 1 ? seed : `${seed}/${number}`);

/** Plays all seeds on so many stages; with a planted fault until it is found. */
async function campaign(lanes: number, planted?: Planted): Promise<Campaign> {
  const result: Campaign = { total: new Report(), played: 0, failed: 0 };
  let next = 1;
  const lane = async (): Promise<void> => {
    let stage = await Stage.open(planted);
    while (next <= seeds && performance.now() < endsAt && (planted === undefined || result.failed === 0)) {
      const own = seedOf(next++);
      const beganAt = performance.now();
      const report = await play(stage, own, { rounds, only }).catch((error: unknown) => {
        // What is broken on purpose must be found, and not only be in the way.
        if (planted !== undefined) throw error;
        const broken = new Report();
        broken.violations.push(`the campaign itself failed: ${error instanceof Error ? error.stack : String(error)}`);
        return broken;
      });
      result.played += 1;
      result.total.add(report);
      if (planted === undefined) {
        say(
          `${own}: ${report.sum('answers')} answers, ${report.figure('answers', 'signed')} signed, ${report.sum('submitted')} submitted, ${report.figure('paid', 'obligations')} obligations paid, ${secondsSince(beganAt)} s`,
        );
      }
      if (report.violations.length === 0) continue;
      result.failed += 1;
      if (planted !== undefined) continue;
      for (const violation of report.violations.slice(0, 20)) say(`  ${own}: ${violation}`);
      say(
        `FAILED  npx tranche faults custody --seeds 1 --rounds ${rounds} --seed ${own}${only === undefined ? '' : ` --only ${only}`}`,
      );
      await stage.close();
      stage = await Stage.open(planted);
    }
    await stage.close();
  };
  await Promise.all(Array.from({ length: Math.min(lanes, seeds) }, lane));
  return result;
}

/** The thief's own account of it: what he tried, how it was answered, what came of it. */
function tell({ total, played, failed }: Campaign): void {
  const known = Object.entries(ALL).filter(([name]) => total.figure(TRIED, name) > 0);
  for (const [name, { tries }] of known) {
    say(
      `\n${tries} (${name}): tried ${total.figure(TRIED, name)} times, ${total.figure(MOVED, name)} transactions passed`,
    );
    say(`  ${total.listed(answersTo(name))}`);
  }
  say(`\nsubmitted   ${total.listed('submitted')}`);
  say(
    `\n${played} plays, ${total.sum(TRIED)} attacks, ${total.sum('answers')} answers, ${total.figure('answers', 'signed')} of them signed; ${failed} plays failed`,
  );
  const xrp = (name: string): string => (total.figure('paid', name) / 1_000_000).toFixed(2);
  say(
    failed === 0
      ? `Nothing moved that was not owed. ${total.figure('paid', 'obligations')} obligations were paid, each once: ${xrp('to investors, drops')} XRP back to those who paid them, ${(total.figure('paid', 'tokens, hundredths') / 100).toFixed(2)} tokens, ${xrp('released, drops')} XRP to the treasury.`
      : 'Something was signed, or moved, that was not owed, or something owed was not paid: see above.',
  );
}

const plants =
  options.plant === EVERY ? (Object.keys(PLANTED) as Planted[]) : options.plant === undefined ? [] : [options.plant];
if (plants.length === 0) {
  const result = await campaign(options.lanes);
  tell(result);
  process.exitCode = result.failed > 0 ? 1 : 0;
} else {
  let missed = 0;
  for (const planted of plants) {
    const startedAt = performance.now();
    const { total, played, failed } = await campaign(options.lanes, planted);
    if (failed === 0) missed += 1;
    say(
      `${planted}: ${failed === 0 ? `NOT FOUND in ${played} plays` : `found in play ${played}`}, ${secondsSince(startedAt)} s${failed === 0 ? '' : `\n    ${total.violations[0]}`}`,
    );
  }
  process.exitCode = missed > 0 ? 1 : 0;
}
