import { Command, InvalidArgumentError } from 'commander';
import { benchAgainstPeer } from './against-peer.ts';
import { benchHostile } from './beside-hostile.ts';
import { benchLaunch } from './launch.ts';
import { openWorld } from './world.ts';

const positive = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('must be a whole number, 1 or more');
  return value;
};

const options = new Command('npx tranche bench webhooks')
  .description('Delivers webhooks, and compares with pg-boss doing the same POSTs from the same database')
  .option('--events <n>', 'events of a backlog, each for every receiver', positive, 400)
  .option('--burst <n>', 'events of one transaction, for one receiver', positive, 5_000)
  .option('--receivers <n>', 'receivers', positive, 8)
  .option('--rounds <n>', 'rounds of each measurement; medians are shown', positive, 3)
  .option('--rate <n>', 'events a second at a steady rate', positive, 100)
  .option('--seconds <n>', 'how long', positive, 20)
  .option('--answer-after <ms>', 'how long each receiver takes to answer', positive)
  .option('--launch', 'measures instead what a launch brings, beside a Svix server where SVIX_SERVER names its program')
  .option('--wide <n>', 'events of a launch’s burst for twenty receivers', positive, 1_000)
  .option('--narrow <n>', 'and for one receiver', positive, 5_000)
  .option('--whole <n>', 'events of the whole launch for twenty receivers', positive, 10_000)
  .option('--hostile', 'measures instead what healthy receivers notice of another tenant’s hostile ones')
  .parse()
  .opts<{
    events: number;
    burst: number;
    receivers: number;
    rounds: number;
    rate: number;
    seconds: number;
    answerAfter?: number;
    wide: number;
    narrow: number;
    whole: number;
    launch?: true;
    hostile?: true;
  }>();

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const world = await openWorld();
try {
  if (options.launch) await benchLaunch(world, options, process.env.SVIX_SERVER, say);
  else await (options.hostile ? benchHostile(world, options, say) : benchAgainstPeer(world, options, say));
} finally {
  await world.end();
}
