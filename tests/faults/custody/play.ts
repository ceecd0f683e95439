import { Draw } from '#tests/faults/draw.ts';
import { Report } from '#tests/faults/report.ts';
import { ALL, ATTACKS, type Attack, type AttackName, ENDS, keepWayIn, STOPS, WAY_IN } from './attacks.ts';
import { auditBooks } from './audit.ts';
import { type Sale, Scene, UNIT_DROPS } from './scene.ts';
import type { Stage } from './stage.ts';
import { Thief, TRIED } from './thief.ts';

/** Sold out soon, late, or never. */
const TOTAL_UNITS = [6_000n, 15_000n, 100_000n, 100_000n] as const;
/** Tries of the platform in the end; each may wait for a cancellation to be final. */
const MOST_TRIES = 8;
const DAY_SECONDS = 25 * 3_600;
const VESTED_SECONDS = 61 * 24 * 3_600;
/** Longer than any candidate may live. */
const LEDGERS_TO_LIVE = 21;
const SHARE_OF_DEAR = 0.15;

function drawSale(draw: Draw, only: AttackName | undefined): Sale {
  const sale = {
    totalUnits: draw.pick(TOTAL_UNITS),
    atEnd: draw.chance(0.25),
    vests: draw.chance(0.35),
    listed: draw.chance(0.35),
    attested: draw.chance(0.35),
  };
  // One attack alone is tried in every play.
  return only === 'forgedCredential' ? { ...sale, listed: false, attested: true } : sale;
}

/** An honest platform pays a share of what is due, with the signatures of both honest witnesses. Gives what it could not pay. */
async function payOwed(scene: Scene, draw: Draw, share: number): Promise<string[]> {
  const failures: string[] = [];
  const nowMs = await scene.nowMs();
  const unpaid = (await scene.dues()).filter(
    ({ isPaid, dueAtMs }) => !isPaid && dueAtMs <= nowMs && draw.chance(share),
  );
  for (const account of [scene.distributor, scene.deposit]) {
    const own = unpaid.filter(({ owed }) => owed.account === account.classicAddress);
    for (let first = 0; first < own.length; first += 100) {
      failures.push(...(await scene.payAll(account.classicAddress, own.slice(first, first + 100))));
    }
  }
  return failures;
}

/** Money arrives in every manner that the sale knows. */
async function arrivals(scene: Scene, draw: Draw): Promise<void> {
  for (const investor of scene.investors) {
    const drops = BigInt(draw.between(10, 2_000)) * UNIT_DROPS;
    const sourceTag = draw.chance(0.3) ? draw.between(1, 9_999) : null;
    const manner = draw.between(0, 11);
    if (manner <= 1) await scene.arrive(investor, drops, { sourceTag });
    if (manner === 2) await scene.arrive(investor, drops, { tag: null });
    if (manner === 3) await scene.arrive(investor, drops, { tag: draw.between(100, 999), sourceTag });
  }
}

/** Everything that is owed is paid, with the patience that it takes. */
async function settle(scene: Scene, draw: Draw): Promise<string[]> {
  await scene.stage.mend();
  let unpaid: string[] = [];
  if (scene.sale.vests) await scene.advanceSeconds(VESTED_SECONDS);
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    await scene.advance(LEDGERS_TO_LIVE);
    unpaid = await payOwed(scene, draw, 1);
    if (unpaid.length === 0) break;
    // The fees of a day are a limit of the witnesses.
    await scene.advanceSeconds(DAY_SECONDS);
  }
  return unpaid;
}

/** Plays once; everything drawn follows from the seed. */
export async function play(stage: Stage, seed: string, options: PlayOptions): Promise<Report> {
  const report = new Report();
  const draw = new Draw(seed);
  const sale = drawSale(draw, options.only);
  const kept = draw.pick(['deposit', 'distributor'] as const);
  const scene = await Scene.open(stage, sale, { seed, before: (opened) => keepWayIn(opened, kept) });
  const thief = new Thief(scene, new Draw(`${seed} thief`), report);
  const isFound = async (name: string, attack: Attack): Promise<boolean> => {
    thief.attack = name;
    report.count(TRIED, name);
    await attack.play(thief);
    report.violations.push(...(await auditBooks(scene, false)).map((text) => `${name}: ${text}`));
    return report.violations.length > 0;
  };
  try {
    if (await isFound('launches', ATTACKS.launches)) return report;
    if (await isFound('wayIn', WAY_IN)) return report;
    // Only its receiver can give the check up.
    await scene.giveUpCheck(kept);
    await scene.launch();
    for (const [name, attack] of drawAttacks(draw, sale, options)) {
      await arrivals(scene, draw);
      if (attack.fits?.(scene) === false) continue;
      await stage.mend();
      if (await isFound(name, attack)) return report;
      await payOwed(scene, draw, 0.3);
    }
    await stage.mend();
    const end = draw.pick(['cancelInFlight', 'cancelInFlight', 'end', null] as const);
    if (end !== null && (await isFound(end, ENDS[end]))) return report;
    const unpaid = await settle(scene, draw);
    thief.loot = [];
    report.violations.push(...unpaid.map((text) => `not paid: ${text}`), ...(await auditBooks(scene, true)));
    if (report.violations.length > 0) return report;
    await count(scene, report);
    const stop = draw.pick(Object.keys(STOPS) as [keyof typeof STOPS, ...(keyof typeof STOPS)[]]);
    await isFound(stop, STOPS[stop]);
    return report;
  } finally {
    await scene.close();
  }
}

export interface PlayOptions {
  /** Attacks on the running sale. */
  rounds: number;
  /** Nothing but this attack. */
  only?: AttackName | undefined;
}

/** So many of them in any order, those first that suit the sale; they are shuffled again, so that none has a place of its own. */
function drawAttacks(draw: Draw, sale: Sale, { rounds, only }: PlayOptions): [string, Attack][] {
  const all = Object.entries<Attack>(only === undefined ? ATTACKS : { [only]: ALL[only] });
  const shuffled = (entries: typeof all): typeof all =>
    entries
      .map((each) => [draw.fraction(), each] as const)
      .sort(([a], [b]) => a - b)
      .map(([, each]) => each);
  const drawn = shuffled(
    all.filter(([, { isDear }]) => isDear !== true || only !== undefined || draw.chance(SHARE_OF_DEAR)),
  );
  const suits = ([, attack]: [string, Attack]): boolean => attack.suits?.(sale) === true;
  return shuffled([...drawn.filter(suits), ...drawn.filter((each) => !suits(each))].slice(0, rounds));
}

async function count(scene: Scene, report: Report): Promise<void> {
  const books = await scene.readBoth();
  report.count('paid', 'obligations', (await scene.dues()).filter(({ isPaid }) => isPaid).length);
  report.count('paid', 'to investors, drops', Number(sumOf(books.deposit.payments) - scene.releasedDrops(books)));
  report.count('paid', 'released, drops', Number(scene.releasedDrops(books)));
  report.count('paid', 'tokens, hundredths', Number(sumOf(books.distributor.payments)));
}

const sumOf = (payments: readonly { amount: unknown }[]): bigint =>
  payments.reduce(
    (sum, { amount }) =>
      sum +
      (typeof amount === 'string'
        ? BigInt(amount)
        : BigInt(Math.round(Number((amount as { value: string }).value) * 100))),
    0n,
  );
