import { randomBytes } from 'node:crypto';
import { decode } from 'xrpl';
import { systemClock } from '#lib/base/clock.ts';
import { isDatabaseUnavailable } from '#lib/base/database-errors.ts';
import { type Database, openDatabase } from '#lib/base/db.ts';
import { applyEnv, env } from '#lib/base/env.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { createLogger } from '#lib/base/log.ts';
import { type Redis, redis } from '#lib/base/redis.ts';
import type { Ctx } from '#lib/ctx.ts';
import { runPayouts } from '#lib/payouts/run-payouts.ts';
import { ledgerUnavailable } from '#lib/xrpl/fault.ts';
import { type ClosableLedger, openLedger } from '#lib/xrpl/ledger.ts';
import type { SubmitResult } from '#lib/xrpl/types.ts';
import { makeStep, runAppProcess, tell } from '#tests/faults/process.ts';
import type { Held, SliceOrder, SliceResult } from './slice.ts';

/**
 * One operating-system process that pays out as often as its parent orders, by the code of production. It is struck at
 * what that code touches, never inside it: the statements that go to the database, the notes that go to Redis and the calls of
 * the ledger port.
 */

const SLICE_MS = 15_000;
/** How runPayouts() logs an account whose slice failed while database and ledger could be reached. */
const OWN_FAULT = 'paying out from this account failed';

let order: SliceOrder | undefined;

let delayed = 0;
async function holdBack(blob: string): Promise<SubmitResult | null> {
  const delay = order?.delay;
  if (!delay || delayed >= delay.count) return null;
  delayed += 1;
  const held: Held = { blob, ledgers: delay.ledgers };
  await tell({ kind: 'news', news: held });
  if (!delay.answered) throw ledgerUnavailable('The connection broke');
  return { engineResult: 'terQUEUED' };
}

/** What the slice under way logged as errors: an account's own fault is one of them, an outage's other lines are not told again. */
let logged: string[] = [];
const log = createLogger('error', (line) => void logged.push(line.trimEnd()));

let surroundings: { settings: string; database: Database; ledger: ClosableLedger } | undefined;

async function ctxFor(settings: SliceOrder['settings']): Promise<Ctx> {
  const key = JSON.stringify(settings);
  if (surroundings?.settings !== key) {
    await surroundings?.ledger.close();
    await surroundings?.database.close();
    applyEnv(settings);
    surroundings = {
      settings: key,
      database: await openDatabase(env().POSTGRES_URL, env().POSTGRES_POOL_SIZE),
      ledger: openLedger({ urls: env().XRPL_URLS, networkId: env().XRPL_NETWORK_ID }),
    };
  }
  const { database, ledger } = surroundings;
  return {
    db: database.db,
    ledger: {
      ...ledger,
      submit: (blob) =>
        makeStep(
          decode(blob).TransactionType === 'TicketCreate' ? 'submit tickets' : 'submit',
          async () => (await holdBack(blob)) ?? (await ledger.submit(blob)),
        ),
    },
    redis: notingRedis(),
    get queue(): never {
      throw new Error('Paying out needs no queue');
    },
    clock: systemClock,
    random: randomBytes,
    actor: { kind: 'scheduler' },
    requestId: newId('req', randomBytes),
    log,
  };
}

/** Redis, whose notes of what was signed a process may not live to write, or to have written. */
function notingRedis(): Redis {
  const client = redis();
  const hset: Redis['hset'] = (name, fields) => makeStep('note', () => client.hset(name, fields));
  return Object.create(client, { hset: { value: hset } });
}

async function obey(given: SliceOrder): Promise<SliceResult> {
  order = given;
  delayed = 0;
  logged = [];
  try {
    const ctx = await ctxFor(given.settings);
    const run = await runPayouts(ctx, { deadlineMs: Date.now() + SLICE_MS });
    return { run, faults: logged.filter((line) => line.includes(OWN_FAULT)) };
  } catch (error) {
    const isOutage =
      isDatabaseUnavailable(error) || (error instanceof PlatformError && error.code === 'ledger_unavailable');
    return { run: null, faults: isOutage ? [] : [String(error)] };
  }
}

await runAppProcess({ perform: (task) => obey(task as SliceOrder) });
