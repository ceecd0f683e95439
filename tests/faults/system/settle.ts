import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Db } from '#lib/base/db.ts';
import { calm, LONG_SECONDS, LONGEST_SECONDS, PATIENT_SECONDS, pass, workUntilIdle } from '#tests/faults/platform.ts';
import { excuseOf, type Unpaid } from './excuses.ts';
import type { World } from './world.ts';

/** In these the first retries come due. */
const FIRST_STEPS = 4;
const MAX_STEPS = 30;
/**
 * Waited in a step before which nothing had changed: an app leaves a ledger server that failed alone for 15 s by its stopwatch,
 * which no campaign moves on, and with two servers it recognises nothing meanwhile.
 */
const FRUITLESS_PAUSE_MS = 1_000;
/** Enough for every transaction under way to expire. */
const LEDGERS_TO_EXPIRE = 25;
const MAX_LAST_STEPS = 10;

/** What is under way or due, in words; empty when all is quiet. */
export async function unfinished(world: World): Promise<string[]> {
  const { db } = world.platform;
  const { rows } = await db.execute<{ what: string; n: number }>(sql`
    select 'payments to be decided' as what, count(*)::integer as n from payments where outcome = 'pending'
    union all select 'actions under way', count(*)::integer from actions where status in ('submitted', 'seen')
    union all select 'attempts under way', count(*)::integer from payout_attempts where status = 'open'
    union all select 'tickets under way', count(*)::integer from ticket_requests where status = 'open'
    union all select 'sales to be refunded', count(*)::integer from projects where status = 'cancelled' and cancellation_completed_at is null
    union all select 'distributions to be planned', count(*)::integer from investments i join projects p on p.id = i.project_id
      where p.status = 'completed' and i.status = 'confirmed' and not i.payouts_planned
    union all select 'events to be fanned out', count(*)::integer from events where not fanned_out
    union all select 'deliveries to be made', count(*)::integer from deliveries
      where status in ('pending', 'retrying') or leased_until is not null`);
  const unpaid = (await unpaidPayouts(db)).filter((payout) => excuseOf(world, payout) === null);
  const found = rows.flatMap(({ what, n }) => (n === 0 ? [] : [`${n} ${what}`]));
  return unpaid.length === 0 ? found : [...found, `${unpaid.length} payouts to be paid`];
}

export async function unpaidPayouts(db: Db): Promise<Unpaid[]> {
  const { rows } = await db.execute<Unpaid>(sql`
    select id, kind, status, reason, destination, destination_tag::float8 as "destinationTag", due_at <= now() + interval '1 hour' as "isDue"
    from payouts where status not in ('validated', 'cancelled')`);
  return rows;
}

/** All is mended: whoever hangs goes on, whoever was killed comes up, every clock is right. */
async function mend({ platform, ledgers, run, weather, witnessed }: World): Promise<void> {
  weather.clear();
  witnessed?.weather.clear();
  await witnessed?.witnesses.mend();
  platform.redis.faults.clear();
  run.postgres.relay.setAway(false);
  for (const { server, relay } of ledgers.faulty) {
    server.faults.clear();
    relay.setAway(false);
  }
  platform.crew.setClocks(0);
  calm(platform);
}

/** With everything mended, time passes on all clocks until nothing is under way any more. */
export async function settle(world: World): Promise<void> {
  const { ledgers, ground, operators, platform, run } = world;
  await mend(world);
  await ground.letLateOptIn();
  let before = '';
  for (let step = 0; ; step++) {
    const left = await unfinished(world);
    if (left.join() === before) await pause(FRUITLESS_PAUSE_MS);
    before = left.join();
    const isMoving = operators.some(({ isDone }) => !isDone);
    if (left.length === 0 && !isMoving && !(await releaseRest(world))) break;
    if (step === MAX_STEPS) {
      run.report.violations.push(`nothing goes on any more: ${left.join(', ')}${isMoving ? ', actions not made' : ''}`);
      break;
    }
    calm(platform);
    await Promise.all(operators.map((operator) => operator.goOn()));
    ledgers.accept(step % 4 === 3 ? LEDGERS_TO_EXPIRE : 2);
    if (!(await workUntilIdle(platform))) continue;
    await pass(platform, step < FIRST_STEPS ? LONG_SECONDS : LONGEST_SECONDS, PATIENT_SECONDS);
  }
  await readToTheEnd(world);
}

/** When all else is done, operators release what is left. Gives whether anything was. */
async function releaseRest({ operators, run }: World): Promise<boolean> {
  try {
    const released = await Promise.all(operators.map((operator) => operator.releaseRest()));
    return released.some((each) => each);
  } catch (error) {
    run.report.violations.push(`a release failed: ${error}`);
    return false;
  }
}

/** The ledger stands still, and everything in it is read, decided, compared and, where that is news, told. */
async function readToTheEnd(world: World): Promise<void> {
  const { ledgers, platform, run } = world;
  ledgers.stop();
  const last = ledgers.accept(2);
  let left = ['a feed that is not read, or not compared, to the end'];
  for (let step = 0; step < MAX_LAST_STEPS && left.length > 0; step++) {
    if (!(await workUntilIdle(platform))) continue;
    const { rows } = await platform.db.execute(sql`select from deposit_accounts
      where confirmed_ledger < ${last - 1}::bigint or reconciled_ledger is distinct from cursor_ledger`);
    if (rows.length > 0) continue;
    // Meanwhile the platform may have noticed that it is well again, and not every receiver takes that at once.
    left = await unfinished(world);
    if (left.length > 0) await pass(platform, LONGEST_SECONDS, PATIENT_SECONDS);
  }
  if (left.length > 0) run.report.violations.push(`the end is not reached: ${left.join(', ')}`);
}
