import { type Purpose, purposeId } from '@tranche/rules/custody.ts';
import { type Candidate, writePurpose } from '@tranche/witness/protocol.ts';
import { Draw } from '#tests/faults/draw.ts';
import { Report } from '#tests/faults/report.ts';
import { tokens } from '#tests/integration/witness/world.ts';
import type { Planted } from './plant.ts';
import { openScene, type Scene, UNIT_DROPS } from './scene.ts';
import { Thief } from './thief.ts';

/** Sold out soon, late, or never. */
const TOTAL_UNITS = [6_000n, 15_000n, 100_000n] as const;

const ATTACKS = [
  'twoTickets',
  'heldTwice',
  'releases',
  'replays',
  'squat',
  'takeover',
  'launches',
  'pause',
  'restart',
] as const;

/** Tries of the platform in the end; each may wait for a cancellation to be final. */
const MOST_TRIES = 8;
const DAY_SECONDS = 25 * 3_600;
/** Longer than any candidate may live. */
const LEDGERS_TO_LIVE = 21;

/** An honest platform pays what is owed, with the signatures of whoever gives them. Gives what is still unpaid. */
async function payOwed(scene: Scene, draw: Draw, share: number): Promise<string[]> {
  const unpaid: string[] = [];
  for (const { purpose, owed, isPaid } of await scene.dues()) {
    if (isPaid || !draw.chance(share)) continue;
    try {
      await pay(scene, purpose, owed.account, owed);
    } catch (error) {
      unpaid.push(`${purposeId(purpose)} is not paid: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return unpaid;
}

async function pay(scene: Scene, purpose: Purpose, account: string, owed: Parameters<Scene['sendSigned']>[2]) {
  const id = purposeId(purpose);
  const by = [1, 2];
  let [ticket] = (await scene.read(account)).openFor(id);
  if (ticket === undefined) {
    await scene.sendSigned(account, await scene.ticketsFor(account, [purpose]), undefined, by);
    [ticket] = (await scene.read(account)).openFor(id);
  }
  const candidate: Candidate = {
    kind: 'payment',
    purpose: writePurpose(purpose),
    ticket: ticket ?? 0,
    ...(await scene.last()),
  };
  await scene.sendSigned(account, candidate, owed, by);
}

/** Money arrives in every manner that the sale knows. */
async function arrivals(scene: Scene, draw: Draw): Promise<void> {
  for (const investor of scene.investors) {
    const drops = BigInt(draw.between(10, 2_000)) * UNIT_DROPS;
    const manner = draw.between(0, 5);
    if (manner <= 2) await scene.arrive(investor, drops, 77, 'sale');
    if (manner === 3) await scene.arrive(investor, drops, null, 'refused');
    if (manner === 4) await scene.arrive(investor, drops, draw.between(100, 999), 'refused');
  }
}

/** What must hold whatever was tried: by the ledger alone, a sum for each investor and one for each purpose. */
async function violations(scene: Scene, isOver: boolean): Promise<string[]> {
  const found: string[] = [];
  const { deposit, distributor } = await scene.readBoth();
  const release = purposeId({ kind: 'release', projectId: scene.projectId });
  for (const book of [deposit, distributor]) {
    const counts = new Map<string, number>();
    for (const { type, result, purpose, hash, fields, flags } of book.sent) {
      if (!['Payment', 'TicketCreate', 'AccountSet'].includes(type)) found.push(`${hash} is a ${type}`);
      if (type === 'AccountSet' && (fields.length > 0 || (flags & 0x7fff_ffff) !== 0))
        found.push(`${hash} sets ${fields}`);
      if (type !== 'Payment' || result !== 'tesSUCCESS') continue;
      if (purpose === null) found.push(`${hash} pays without a purpose`);
      else counts.set(purpose, (counts.get(purpose) ?? 0) + 1);
    }
    for (const [purpose, count] of counts) {
      if (purpose !== release && count > 1) found.push(`${purpose} is paid ${count} times`);
    }
  }
  const outs = [...deposit.sent, ...distributor.sent].filter(
    ({ type, result }) => type === 'Payment' && result === 'tesSUCCESS',
  );
  const sumTo = (address: string) => {
    let [xrp, units] = [0n, 0n];
    for (const { destination, amount } of outs) {
      if (destination !== address) continue;
      if (typeof amount === 'string') xrp += BigInt(amount);
      else units += BigInt(Math.round(Number((amount as { value: string }).value) * 100));
    }
    return { xrp, units };
  };
  for (const { classicAddress: address } of scene.investors) {
    const own = scene.arrivals.filter(({ from }) => from.classicAddress === address);
    const paid = own.reduce((sum, { drops }) => sum + drops, 0n);
    const { xrp, units } = sumTo(address);
    const got = xrp + units * UNIT_DROPS;
    if (got > paid) found.push(`${address} paid ${paid} drops and got back what is worth ${got}`);
    if (isOver && got < paid) found.push(`${address} paid ${paid} drops and got back only what is worth ${got}`);
  }
  const delivered = scene.arrivals
    .filter((arrival) => distributor.paymentsFor(purposeId(tokens(arrival))).length > 0)
    .reduce((sum, { units }) => sum + units * UNIT_DROPS, 0n);
  const raised = scene.soldUnits() * UNIT_DROPS;
  const most = scene.status === 'completed' ? raised : delivered;
  const { xrp: released } = sumTo(scene.treasury.classicAddress);
  if (released > most) found.push(`${released} drops are released, and ${most} earned`);
  const known = new Set([scene.treasury, ...scene.investors].map(({ classicAddress }) => classicAddress));
  for (const { destination, hash } of outs) {
    if (!known.has(destination ?? '')) found.push(`${hash} pays ${destination}, who is owed nothing`);
  }
  return found;
}

/** Plays once; everything drawn follows from the seed. */
export async function play(seed: string, { rounds, planted }: { rounds: number; planted?: Planted }): Promise<Report> {
  const report = new Report();
  const draw = new Draw(seed);
  const scene = await openScene({ totalUnits: draw.pick(TOTAL_UNITS), planted });
  try {
    const thief = new Thief(scene, new Draw(`${seed} thief`), report);
    for (let round = 0; round < rounds; round++) {
      await arrivals(scene, draw);
      const attack = round < ATTACKS.length && rounds >= ATTACKS.length ? ATTACKS[round] : draw.pick(ATTACKS);
      report.count('attacks', attack ?? 'twoTickets');
      await thief[attack ?? 'twoTickets']();
      report.violations.push(...(await violations(scene, false)));
      if (report.violations.length > 0) return report;
      await payOwed(scene, draw, 0.4);
    }
    report.count('attacks', 'cancelInFlight');
    await thief.cancelInFlight();
    await thief.releases();
    await thief.spend();
    report.violations.push(...(await violations(scene, false)));
    if (report.violations.length > 0) return report;
    for (const index of [0, 1, 2]) await scene.lag(index, 0);
    let unpaid: string[] = [];
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      await scene.advance(LEDGERS_TO_LIVE);
      unpaid = await payOwed(scene, draw, 1);
      if (unpaid.length === 0) break;
      // The fees of a day are a limit of the witnesses.
      await scene.advanceSeconds(DAY_SECONDS);
    }
    report.violations.push(...unpaid, ...(await violations(scene, true)));
    const paid = (await scene.dues()).filter(({ isPaid }) => isPaid).length;
    report.count('paid', 'obligations', paid);
    return report;
  } finally {
    await scene.close();
  }
}
