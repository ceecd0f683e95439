import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { webhooks as webhookRows } from '#drizzle/schema/events.ts';
import { projects } from '#drizzle/schema/sale.ts';
import { setCustody } from '#lib/sales/accounts/set-custody.ts';
import { getTerms } from '#lib/sales/projects/get-terms.ts';
import { countFlag, type Run, runCampaign, type Scenario } from '#tests/faults/campaign.ts';
import { verifyDeliveries } from '#tests/faults/deliveries.ts';
import type { Draw } from '#tests/faults/draw.ts';
import { type Ledgers, openLedgers } from '#tests/faults/ledgers.ts';
import {
  continueStopped,
  cron,
  LONG_SECONDS,
  newDeveloper,
  openPlatform,
  type Platform,
  pass,
  SLICE_LEASE_SECONDS,
  type Subscribed,
  subscribe,
} from '#tests/faults/platform.ts';
import { drawStrike, type StrikeWeights } from '#tests/faults/strike.ts';
import { FAULT_NAMES, type FaultName, scramble, Weather, WITNESS_FAULT_NAMES } from '#tests/faults/weather.ts';
import { drawsWitnesses, WITNESSES, Witnesses } from '#tests/faults/witnesses.ts';
import { NETWORK_ID } from '#tests/integration/xrpl/desk.ts';
import { payOnce } from './crowd.ts';
import { openEnvironment } from './ground.ts';
import { Operator } from './operator.ts';
import { createSales, type Sale } from './sales.ts';
import { settle } from './settle.ts';
import { verifyLeases, verifyLedger, verifySales, verifyStatus } from './verify.ts';
import { verifyEvents } from './verify-events.ts';
import { verifyWitnessed } from './verify-witnessed.ts';
import type { Flags, Witnessed, World } from './world.ts';

const SHARE_FAILING = 0.2;
/** Few: all goes wrong for a dozen seconds, and who hangs keeps its webhook's only place for one and a half of them. */
const SHARE_HANGING = 0.08;
/** Of the seven attempts, the others are left for what the storm does. */
const MOST_FAILURES = 2;
const TIMEOUT_MS = 1_500;
const SLICE_MS = 3_000;
const LEDGER_MS = 400;
const PROCESSES = 3;
/** Its receiver never takes anything. */
const DEAD_WEBHOOK = 3;
const DEAD = new Set([DEAD_WEBHOOK]);
const PAYOUT_EVENTS = ['investment.tokens_distributed' as const, 'investment.refunded' as const];

/** A round takes so long, or until the scheduler's call has ended. */
const ROUND_MS = 1_500;
const CRON_SECONDS = 3;
const IMPATIENT_SECONDS = 1;
/** The short form begins no seed after this: on a slow machine it plays fewer, and at least one. */
const SHORT_MS = 110_000;

/** Steps of which a process is struck at the one that it comes to first. */
const STRIKES_AT_ONCE = 4;
/** Of so many seeds one has its first account under custody. */
const ONE_WITNESSED_IN = 2;
const MONEY_STEPS = [
  ...(['recognise', 'decide', 'owe', 'commit of feed'] as const),
  ...(['persist', 'submit', 'settle', 'commit of settle'] as const),
] as const;
const EVENT_STEPS = ['append events', 'fan out', 'claim', 'request', 'record'] as const;
const OFTEN = new Set(['request', 'lease', 'submit', 'append events']);
const STRIKES: StrikeWeights = {
  among: [
    [0.6, MONEY_STEPS],
    [0.85, EVENT_STEPS],
    [
      1,
      [
        ...MONEY_STEPS,
        ...EVENT_STEPS,
        ...(['see actions', 'persist action', 'refunds', 'reconcile', 'lease', 'record answer'] as const),
        ...([
          'persist tickets',
          'settle tickets',
          'ask witnesses',
          'announce',
          'republish',
          'hold wake',
          'release lease',
        ] as const),
      ],
    ],
  ],
  nth: (step, draw) => (OFTEN.has(step) ? draw.between(1, 4) : draw.pick([1, 1, 1, 2])),
  shareStopped: 0.3,
};

/** In this scenario the app's first address stays the first server's, and no fee is more than is ever paid. */
const NOT_HERE = new Set<FaultName>(['ledger switched', 'ledger overloaded']);
const FAULTS = FAULT_NAMES.filter((name) => !NOT_HERE.has(name)) as [FaultName, ...FaultName[]];
const LASTING = new Set<FaultName>(['one clock off', 'all clocks off', 'ledger away', 'ledger lags']);

async function start(run: Run<Flags>): Promise<World> {
  const ledgers = await openLedgers(run);
  const draw = run.draw('scene');
  const ground = await openEnvironment(ledgers, draw);
  const { witnesses: wanted } = run.flags;
  const isWitnessed = wanted === undefined ? drawsWitnesses(run.seed, ONE_WITNESSED_IN) : wanted > 0;
  const witnessed = isWitnessed ? await openWitnessed(run, ledgers) : null;
  const underCustody = witnessed === null ? [] : [ground.deposits[0], ground.distributor];
  await witnessed?.witnesses.takeCustodyOf(underCustody);
  const signers = [ground.issuer, ground.distributor, ...ground.deposits];
  const platform = await openPlatform(run, {
    receivers: {
      webhooks: DEAD_WEBHOOK + 1,
      shareFailing: SHARE_FAILING,
      shareHanging: SHARE_HANGING,
      clocksMayBeOff: true,
      mostFailures: MOST_FAILURES,
      dead: DEAD,
    },
    processes: PROCESSES,
    // As the campaign itself has them: the app's addresses of database and ledger are other ones.
    settings: {
      XRPL_URLS: ledgers.clean.wsUrl,
      XRPL_NETWORK_ID: String(NETWORK_ID),
      SIGNING_KEYS: signers
        .map((wallet) =>
          witnessed !== null && underCustody.includes(wallet)
            ? witnessed.witnesses.keyFor(wallet.address)
            : `${wallet.address}=ed25519:${wallet.seed}`,
        )
        .join(','),
      ...witnessed?.witnesses.settings,
      WEBHOOK_TIMEOUT_MS: String(TIMEOUT_MS),
      SLICE_BUDGET_MS: String(SLICE_MS),
      HEARTBEAT_SECONDS: '1',
      RATE_LIMIT_SCALE: '1000',
    },
  });
  const sales = await createSales(platform.ctx, ground, draw, isWitnessed);
  if (witnessed !== null) await approveSales(platform, ground.deposits[0].address, sales, witnessed);
  for (const { kind } of sales) run.report.count('sales', kind);
  const startLedger = ledgers.newest();
  const webhooks = await subscribeAll(platform, sales[0].project.id);
  const { postgres, database } = run;
  platform.startCrew({
    POSTGRES_URL: postgres.throughRelay(database.url),
    XRPL_URLS: ledgers.faulty.map(({ relay }) => relay.wsUrl).join(','),
  });
  scramble(platform.qstash.faults, run.draw('queue'));
  ledgers.begin(LEDGER_MS);
  const { qstash, redis, crew } = platform;
  return {
    ...{ run, platform, ledgers, ground, sales, webhooks, startLedger, witnessed },
    operators: sales.map((sale) => new Operator(platform.baseUrl, sale)),
    draws: { strikes: run.draw('strikes'), crowd: run.draw('crowd'), faults: run.draw('faults') },
    weather: new Weather({ postgres, ledgers, qstash, redis, crew }, run.draw('weather')),
  };
}

async function openWitnessed(run: Run<Flags>, ledgers: Ledgers): Promise<Witnessed> {
  const witnesses = await Witnesses.open(ledgers, run.draw('witnesses'), run.defer);
  run.report.count('sales', 'with witnesses');
  return {
    witnesses,
    weather: new Weather({ witnesses }, run.draw('weather of witnesses')),
    draw: run.draw('faults of witnesses'),
  };
}

/** The operator names the signers of the account, and those of the witnesses approve its sales. */
async function approveSales(
  { ctx }: Platform,
  address: string,
  sales: readonly Sale[],
  { witnesses }: Witnessed,
): Promise<void> {
  await setCustody(ctx, { address, custody: witnesses.set, reason: 'asked for by the campaign' });
  for (const { project } of sales.filter(({ project: { deposit_address: own } }) => own === address)) {
    const { canonical } = await getTerms(ctx, project.id);
    witnesses.approve(project.id, canonical);
  }
  witnesses.keepYesterday();
}

async function subscribeAll(platform: Platform, projectId: string): Promise<Subscribed[]> {
  const subscribed: Subscribed[] = [];
  const wanted = [
    { events: null, projectId: null },
    { events: null, projectId },
    { events: PAYOUT_EVENTS, projectId: null },
    { events: PAYOUT_EVENTS, projectId: null },
  ];
  for (const [n, each] of wanted.entries()) {
    const id = await subscribe(
      platform,
      n,
      await newDeveloper(platform),
      each.events === null ? {} : { events: each.events },
    );
    // A developer can name a project only once it is launched; here it is there from the first.
    await platform.db.update(webhookRows).set({ projectId: each.projectId }).where(eq(webhookRows.id, id));
    subscribed.push({ ...each, id });
  }
  return subscribed;
}

const drawFaults = (draw: Draw): { name: FaultName; rounds: number }[] =>
  Array.from({ length: draw.between(1, 3) }, () => {
    const name = draw.pick(FAULTS);
    return { name, rounds: LASTING.has(name) ? draw.between(1, 3) : 1 };
  });

/** Faults change, processes are struck, people pay, operators move; then who hangs goes on. */
async function playRound(world: World): Promise<void> {
  const { run, platform, draws, operators, weather } = world;
  const { report } = run;
  const { crew } = platform;
  const draw = draws.strikes;
  const beganAt = performance.now();
  const plans = crew.workers.map(() =>
    draw.chance(0.85) ? Array.from({ length: STRIKES_AT_ONCE }, () => drawStrike(draw, STRIKES)) : [],
  );
  // Whoever did not come to its step in the last round is given another.
  for (const [n, worker] of crew.workers.entries()) worker.arm(...(plans[n] ?? []));
  const payments = draw.between(3, 8);
  const killAfterMs = draw.chance(0.3) ? draw.between(1, ROUND_MS) : null;
  const seconds = draw.pick([1, 1, SLICE_LEASE_SECONDS]);
  const killer = killAfterMs === null ? undefined : setTimeout(() => crew.workers[0]?.kill(), killAfterMs);
  const acts = (async () => {
    for (let n = 0; n < payments; n++) report.count('payments', await payOnce(world.ground, world.sales, draws.crowd));
  })();
  // An operator and the scheduler wait longer than a round for an answer.
  for (const operator of operators) void operator.goOn();
  const [begun] = await Promise.all([weather.change(drawFaults(draws.faults)), acts]);
  for (const name of begun) report.count('faults', name);
  for (const name of await strikeWitnesses(world)) report.count('witnesses', name);
  const called = cron(platform, CRON_SECONDS);
  await pass(platform, seconds, IMPATIENT_SECONDS);
  report.countEnded(crew.refill());
  await Promise.all([called, pause(Math.max(0, ROUND_MS - (performance.now() - beganAt)))]);
  // Nobody who is well is held to be dead: an age passes only while somebody hangs, and only sometimes.
  const ages = draw.chance(0.6);
  if (ages && crew.workers.some(({ isStopped }) => isStopped)) {
    void cron(platform, CRON_SECONDS);
    await pass(platform, LONG_SECONDS, IMPATIENT_SECONDS);
  }
  continueStopped(platform);
  clearTimeout(killer);
  report.countEnded(crew.refill());
}

/** Witnesses die, hang, are restored, halted or cut off, and their ledger servers lie to them. */
async function strikeWitnesses({ witnessed, ledgers, ground }: World): Promise<FaultName[]> {
  if (witnessed === null) return [];
  const { witnesses, weather, draw } = witnessed;
  await witnesses.findLie(ledgers.client, ground.deposits[0].address);
  const drawn = Array.from({ length: draw.between(0, 2) }, () => draw.pick(WITNESS_FAULT_NAMES));
  return weather.change(drawn.map((name) => ({ name, rounds: draw.between(1, 2) })));
}

async function countEnds({ run, platform, operators }: World): Promise<string[]> {
  for (const { accepted, released } of operators) {
    run.report.count('figures', 'actions accepted', accepted);
    run.report.count('figures', 'releases', released);
  }
  for (const { status, endReason } of await platform.db.select().from(projects)) {
    run.report.count('ends', endReason ?? status);
  }
  return [];
}

const scenario: Scenario<Flags, World> = {
  command: 'npx tranche faults',
  description:
    'Breaks every part of the platform while a crowd pays into sales, mends it, and reads from the ledger and the receivers what became of it',
  worker: path.join(import.meta.dirname, 'worker.ts'),
  options: [
    countFlag(
      '--seeds <n>',
      'how many seeds; 200 is the full form, and without it as many of four as two minutes allow',
      {
        default: 4,
      },
    ),
    countFlag('--witnesses <n>', `witnesses that co-sign: 0 or ${WITNESSES}; drawn when absent`, { least: 0 }),
    countFlag('--seconds <n>', 'how long everything goes wrong, a seed', { default: 12 }),
  ],
  plan({ seed, seeds, seconds, witnesses }, isGiven) {
    const isOne = isGiven('seed') && !isGiven('seeds');
    return {
      seeds: isOne ? [seed] : Array.from({ length: seeds }, (_, n) => `${seed}/${n}`),
      ...(isGiven('seeds') ? {} : { beginsWithinMs: SHORT_MS }),
      replay: (failed) =>
        `--seed ${failed} --seconds ${seconds}${witnesses === undefined ? '' : ` --witnesses ${witnesses}`}`,
      lineEvery: 1,
    };
  },
  start,
  // The rounds are counted, not timed: what is drawn follows from the seed on a slow machine too.
  rounds: ({ run }) => Math.ceil((run.flags.seconds * 1000) / ROUND_MS),
  playRound,
  settle,
  invariants: [
    verifyLedger,
    verifyWitnessed,
    ({ platform, run }) => verifyEvents(platform.db, run.report.sum('witnesses') > 0),
    ({ platform, webhooks }) => verifyDeliveries(platform, webhooks, { dead: DEAD }),
    verifySales,
    verifyStatus,
    verifyLeases,
    countEnds,
  ],
  line(report, { seed, seconds }) {
    const figures = ['payments', 'payouts paid', 'events', 'deliveries']
      .map((name) => `${report.figure('figures', name)} ${name}`)
      .join(', ');
    return `seed ${seed}: ${report.violations.length} violations, ${report.sum('kills')} kills, ${report.sum('stops')} stops, ${report.sum('faults')} faults, ${figures}, ${seconds} s`;
  },
  summary: (total) => [
    ['kills by step', `${total.listed('kills')}, and ${total.sum('stops')} stops`],
    ['faults', total.listed('faults')],
    ['faults of witnesses', total.listed('witnesses')],
    ['sales', `${total.listed('sales')}; ended ${total.listed('ends')}`],
    ['payments', total.listed('payments')],
    ['in all', total.listed('figures')],
  ],
};

await runCampaign(scenario);
