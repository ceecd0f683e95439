import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import pg from 'pg';
import { holderBalances } from '#drizzle/schema/holders.ts';
import { pruneBalances } from '#lib/accounts/holders/prune-balances.ts';
import { readHolding } from '#lib/accounts/holders/read-holding.ts';
import { syncToken } from '#lib/accounts/holders/sync-token.ts';
import { openDatabase } from '#lib/base/db.ts';
import { applyEnv } from '#lib/base/env.ts';
import { newId } from '#lib/base/ids.ts';
import { logger } from '#lib/base/log.ts';
import type { Ctx } from '#lib/ctx.ts';
import { type LedgerServers, ledgerServers } from '#lib/xrpl/connection.ts';
import { nextHolderPage, openHolders } from '#lib/xrpl/holders.ts';
import { openLedger } from '#lib/xrpl/ledger.ts';
import { type LedgerToken, tokenName } from '#lib/xrpl/token.ts';
import { testEnv } from '#tests/support/env.ts';
import { NETWORK_ID } from '../spawn-ledger.ts';
import { readLines } from './read-lines.ts';

/** What to measure, in a process of its own that has done nothing else. */
export interface Task {
  ledgerUrl: string;
  databaseUrl: string;
  token: LedgerToken & { kind: 'iou' };
  rounds: number;
}

export interface Round {
  /** Reading the same pages, and nothing else. */
  pagingMs: number;
  syncMs: number;
}

export interface Measured {
  rounds: Round[];
  holders: number;
  pages: number;
  /** Of one synchronisation, the beginning and the end included. */
  statements: number;
  /** Of these, those that are sent while pages come. */
  statementsOfPages: number;
  /** Reading what the smallest holder has and its rank, right after the snapshot is whole. */
  holdingMs: number;
  /** Removing the balances of the snapshot before. */
  pruneMs: number;
  /** The most that this process ever held, and that it held before it began. */
  peakRssBytes: number;
  startRssBytes: number;
}

/** A slice in production lives this long (SLICE_BUDGET_MS); then the next one goes on. */
const SLICE_MS = 20_000;

let statements: string[] = [];
const { query } = pg.Client.prototype;
pg.Client.prototype.query = function counted(this: pg.Client, ...given: unknown[]) {
  const [first] = given;
  statements.push(typeof first === 'string' ? first : String((first as { text?: string }).text));
  return (query as (...all: unknown[]) => unknown).apply(this, given);
} as typeof query;

const isOfPage = (statement: string): boolean => statement.includes('with moved as');

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; elapsedMs: number }> {
  const startedAt = performance.now();
  const result = await work();
  return { result, elapsedMs: performance.now() - startedAt };
}

async function syncWhole(ctx: Ctx, token: LedgerToken) {
  let resume: string | null = null;
  for (;;) {
    const wanted = { token, position: tokenName(token) };
    const { sync } = await syncToken(ctx, { wanted, resume, restarts: 0, deadlineMs: Date.now() + SLICE_MS });
    if (sync.status === 'complete') return sync;
    resume = sync.id;
  }
}

async function smallestHolder(db: Ctx['db'], syncId: string): Promise<string> {
  const [smallest] = await db
    .select({ account: holderBalances.account })
    .from(holderBalances)
    .where(eq(holderBalances.syncId, syncId))
    .orderBy(holderBalances.balance)
    .limit(1);
  return smallest?.account ?? '';
}

function contextOver(servers: LedgerServers, db: Ctx['db'], task: Task): Ctx {
  return {
    db,
    get redis(): never {
      throw new Error('A synchronisation needs no Redis');
    },
    get queue(): never {
      throw new Error('A synchronisation needs no queue');
    },
    ledger: {
      ...openLedger({ urls: [task.ledgerUrl], networkId: NETWORK_ID }),
      // Over the very connection that the mere paging uses.
      openHolders: (token) => openHolders(servers, token),
      holderPage: (token, reading, marker) => nextHolderPage(servers, token, reading, marker),
    },
    clock: { nowMs: Date.now },
    random: randomBytes,
    actor: { kind: 'system' },
    requestId: newId('req', randomBytes),
    log: logger(),
  };
}

async function measure(task: Task): Promise<Measured> {
  applyEnv(testEnv({ POSTGRES_URL: task.databaseUrl, XRPL_URLS: task.ledgerUrl, LOG_LEVEL: 'silent' }));
  const database = await openDatabase(task.databaseUrl, 5);
  const servers = ledgerServers({ urls: [task.ledgerUrl], networkId: NETWORK_ID });
  const ctx = contextOver(servers, database.db, task);
  const rounds: Round[] = [];
  // Connects, and loads what both sides load once.
  await servers.use((server) => readLines(server, task.token.issuer, 1));
  const startRssBytes = process.memoryUsage().rss;
  let [holders, pages, holdingMs, pruneMs] = [0, 0, 0, 0];
  for (let round = 0; round < task.rounds; round++) {
    const paging = await timed(() => servers.use((server) => readLines(server, task.token.issuer)));
    statements = [];
    const { result: sync, elapsedMs: syncMs } = await timed(() => syncWhole(ctx, task.token));
    if (sync.holders !== paging.result) throw new Error(`${sync.holders} of ${paging.result} holders were written`);
    ({ holders, pages } = sync);
    rounds.push({ pagingMs: paging.elapsedMs, syncMs });
    const sent = statements;
    const smallest = await smallestHolder(database.db, sync.id);
    holdingMs = (await timed(() => readHolding(database.db, task.token, smallest))).elapsedMs;
    pruneMs = (await timed(() => pruneBalances(ctx, Number.POSITIVE_INFINITY))).elapsedMs;
    statements = sent;
  }
  await servers.close();
  await database.close();
  return {
    rounds,
    holders,
    pages,
    statements: statements.length,
    statementsOfPages: statements.filter(isOfPage).length,
    holdingMs,
    pruneMs,
    startRssBytes,
    peakRssBytes: process.resourceUsage().maxRSS * 1024,
  };
}

process.stdout.write(JSON.stringify(await measure(JSON.parse(process.argv[2] ?? '') as Task)));
