import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { deliveries, deliveryAttempts, events, webhooks } from '#drizzle/schema/events.ts';
import { bulkRowsOf, bulkValues } from '#lib/base/bulk.ts';
import { isDatabaseUnavailable } from '#lib/base/database-errors.ts';
import { type Db, plannedOnce } from '#lib/base/db.ts';
import { fixedStatement } from '#lib/base/fixed-statement.ts';
import { newIds } from '#lib/base/ids.ts';
import type { Ctx } from '#lib/ctx.ts';
import { hostKey } from './claim.ts';
import { type HealthReport, healthChange, noteEndpointHealth } from './endpoint-health.ts';
import { type EndedDelivery, isReported, reportFailed } from './failed-deliveries.ts';
import { publishRetries } from './publish-retries.ts';
import type { Outcome } from './send.ts';
import { wakeDispatch } from './wake.ts';

/** Outcomes are gathered for so long, or until one statement has enough: one for each would cost more than all else. */
const GATHER_MS = 50;
const BATCH = 256;
/** So many may wait, those that are being stored included, before nothing more is claimed or begun. */
const MOST_WAITING = 512;

/** A statement that fails is tried again for so long: a claim lasts far longer, and the function as well. */
const KEEP_TRYING_MS = 5_000;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;
/** Tries by itself after which an outcome is to blame, when others were stored meanwhile. */
const MOST_TRIES_ALONE = 3;

/** Where a delivery stands after an outcome was stored. */
export interface Recorded extends HealthReport, EndedDelivery {
  status: 'success' | 'failed' | 'retrying' | 'cancelled';
  /** As the outcome says; null when no attempt is left. */
  retryDelaySeconds: number | null;
  host: string;
}

const GIVEN = {
  attempt_id: 'text',
  delivery_id: 'text',
  attempt: 'integer',
  leased_until: 'timestamptz',
  started_ms_ago: 'integer',
  url: 'text',
  request_headers: 'text',
  response_headers: 'text',
  duration_ms: 'integer',
  response_code: 'integer',
  error_kind: 'text',
  response_body: 'text',
  retry_after: 'text',
  retry_delay_s: 'integer',
} as const;

function valuesOf(ctx: Ctx, outcomes: readonly Outcome[]) {
  const nowMs = ctx.clock.nowMs();
  const attemptIds = newIds('att', ctx.random, outcomes.length, nowMs);
  return bulkValues(
    GIVEN,
    outcomes.map((outcome, index) => ({
      attempt_id: attemptIds[index] ?? null,
      delivery_id: outcome.deliveryId,
      attempt: outcome.attempt,
      leased_until: outcome.leasedUntil,
      started_ms_ago: Math.max(0, Math.round(nowMs - outcome.startedAtMs)),
      url: outcome.url,
      request_headers: JSON.stringify(outcome.requestHeaders),
      response_headers: outcome.responseHeaders === null ? null : JSON.stringify(outcome.responseHeaders),
      duration_ms: outcome.durationMs,
      response_code: outcome.responseCode,
      error_kind: outcome.errorKind,
      response_body: outcome.responseBody,
      retry_after: outcome.retryAfter,
      retry_delay_s: outcome.retryDelaySeconds,
    })),
  );
}

/**
 * Stores outcomes of any number of attempts in one statement, and with them when the next attempts are due (database
 * clock). The end of the claim is the fencing token: an attempt that was declared interrupted meanwhile changes
 * nothing. A delivery cancelled meanwhile stays so, unless the receiver did take the event. Deliveries that end as failed are
 * reported in the same transaction.
 */
export async function recordOutcomes(ctx: Ctx, outcomes: readonly Outcome[]): Promise<Recorded[]> {
  if (outcomes.length === 0) return [];
  const mayEndFailed = outcomes.some(
    ({ errorKind, retryDelaySeconds }) => errorKind !== null && retryDelaySeconds === null,
  );
  if (!mayEndFailed) return writeOutcomes(ctx.db, ctx, outcomes);
  return ctx.db.transaction(async (tx) => {
    const recorded = await writeOutcomes(tx, ctx, outcomes);
    await reportFailed(tx, ctx, recorded);
    return recorded;
  });
}

const writeOutcomes = (db: Db, ctx: Ctx, outcomes: readonly Outcome[]): Promise<Recorded[]> =>
  writeGiven<Recorded & Record<string, unknown>>(db, valuesOf(ctx, outcomes));

// Each row is looked up by its id, in their order, before anything is joined: else a planner without statistics goes through all rows.
const writeGiven = fixedStatement<Record<keyof typeof GIVEN, string>>(
  (given) => sql`${plannedOnce}
    with outcome as materialized (select * from ${bulkRowsOf('given', GIVEN, given)}),
    held as materialized (
      select d.id, d.leased_until, d.next_attempt, coalesce(d.cancel_reason = 'event_erased', false) as erased
      from (select distinct delivery_id as id from outcome order by 1) ended
      cross join lateral (
        select d.id, d.leased_until, d.next_attempt, d.cancel_reason from ${deliveries} d where d.id = ended.id for no key update
      ) d
    ),
    ended as materialized (
      select o.*, held.erased from outcome o join held on held.id = o.delivery_id
      where held.leased_until = o.leased_until and held.next_attempt = o.attempt
    ),
    entered as (
      insert into ${deliveryAttempts} (id, delivery_id, attempt, started_at, url, request_headers, response_headers,
        duration_ms, response_code, error_kind, response_body, retry_after)
      select attempt_id, delivery_id, attempt, now() - make_interval(secs => started_ms_ago / 1000.0), url, request_headers::jsonb,
        -- An answer may repeat what was sent.
        case when not erased then response_headers::jsonb end, duration_ms, response_code, error_kind,
        case when not erased then response_body end, case when not erased then retry_after end
      from ended
    )
    update ${deliveries} d
    set status = case
        when e.error_kind is null then 'success'
        when d.status = 'cancelled' then 'cancelled'
        when e.retry_delay_s is null then 'failed'
        else 'retrying' end,
      cancel_reason = case when e.error_kind is null then null else d.cancel_reason end,
      next_attempt = e.attempt + 1,
      due_at = case
        when e.error_kind is null or d.status = 'cancelled' then null
        else now() + make_interval(secs => e.retry_delay_s) end,
      leased_until = null,
      sweeps = 0,
      response_code = e.response_code,
      duration_ms = e.duration_ms,
      delivered_at = case when e.error_kind is null then now() end
    from ended e, ${webhooks} w, ${events} t
    where d.id = e.delivery_id and w.id = d.webhook_id and t.id = d.event_id
    returning d.id as "deliveryId", d.status, d.next_attempt as "nextAttempt", e.retry_delay_s as "retryDelaySeconds", w.id as "webhookId", ${hostKey} as host,
      t.id as "eventId", t.type as "eventType", t.is_test as "isTest", d.response_code as "responseCode",
      e.url, ${healthChange} as "healthChange"`,
);

/** What follows from outcomes once they are stored. Never throws. */
const followUp = (ctx: Ctx, recorded: readonly Recorded[]): Promise<unknown> =>
  Promise.all([
    publishRetries(ctx, recorded),
    noteEndpointHealth(ctx, recorded),
    recorded.some(isReported) ? wakeDispatch(ctx) : undefined,
  ]);

/** Consecutive failures of storing, and how long to wait after each. */
class Failures {
  #sinceMs: number | undefined;
  #pauseMs = FIRST_PAUSE_MS;

  /** True while the last try failed. */
  get any(): boolean {
    return this.#sinceMs !== undefined;
  }

  /** Notes one, and waits. False, at once, when it has gone on for too long: then it is not worth another try. */
  async wait(): Promise<boolean> {
    this.#sinceMs ??= performance.now();
    if (performance.now() - this.#sinceMs >= KEEP_TRYING_MS) return false;
    await pause(this.#pauseMs);
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
    return true;
  }

  end(): void {
    this.#sinceMs = undefined;
    this.#pauseMs = FIRST_PAUSE_MS;
  }
}

/**
 * Stores the outcome of an attempt that was made by itself, and does what follows from it. Tries again for a while when the
 * statement fails, and throws what the last try threw. Gives undefined when the claim was given up meanwhile.
 */
export async function storeOutcome(ctx: Ctx, outcome: Outcome): Promise<Recorded | undefined> {
  const failures = new Failures();
  for (;;) {
    const recorded = await recordOutcomes(ctx, [outcome]).catch(async (err) => {
      if (!(await failures.wait())) throw err;
      ctx.log.warn({ err, delivery_id: outcome.deliveryId }, 'An outcome could not be stored; it is stored again');
    });
    if (recorded === undefined) continue;
    await followUp(ctx, recorded);
    return recorded[0];
  }
}

/** Outcomes that were stored, by what the delivery came to. */
export interface Stored {
  success: number;
  retrying: number;
  failed: number;
}

/** An outcome that waits to be stored, and what became of storing it by itself. */
interface Unstored {
  outcome: Outcome;
  triesAlone: number;
  /** How many outcomes were stored before the first of those tries. */
  storedBefore: number;
}

/**
 * Stores the outcomes of a slice beside its work, a batch after the other, and does what follows from them. An outcome is kept
 * until it is stored: receivers would get those events again. What cannot be stored for long is given up with an error: the
 * claims of its deliveries run out, and the attempts are recorded as interrupted and made again.
 */
export class OutcomeWriter {
  readonly #ctx: Ctx;
  readonly #onProgress: () => void;
  readonly #results: Stored = { success: 0, retrying: 0, failed: 0 };
  readonly #failures = new Failures();
  #waiting: Unstored[] = [];
  #hasEnough = Promise.withResolvers<void>();
  #isClosing = false;
  #batch = BATCH;
  #stored = 0;
  #storing: Promise<void> | undefined;
  #progress = Promise.withResolvers<void>();
  #following: Promise<unknown> = Promise.resolve();
  #failure: { error: unknown } | undefined;

  /** `onProgress` is called whenever it may have caught up. */
  constructor(ctx: Ctx, onProgress: () => void) {
    this.#ctx = ctx;
    this.#onProgress = onProgress;
  }

  /** Takes an outcome; it is stored soon. */
  add(outcome: Outcome): void {
    this.#waiting.push({ outcome, triesAlone: 0, storedBefore: 0 });
    if (this.#waiting.length >= BATCH) this.#hasEnough.resolve();
    this.#storing ??= this.#storeAll();
  }

  /** Too many outcomes wait to be stored, or storing fails: nothing more may begin. */
  get isBehind(): boolean {
    return this.#storing !== undefined && (this.#waiting.length > MOST_WAITING || this.#failures.any);
  }

  /** Waits while too many wait to be stored, or storing fails. Throws when outcomes had to be given up. */
  async keepUp(): Promise<void> {
    while (this.isBehind) await this.#progress.promise;
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Waits until all is stored and done. Throws when outcomes had to be given up. */
  async close(): Promise<Stored> {
    this.#isClosing = true;
    this.#hasEnough.resolve();
    while (this.#storing !== undefined) await this.#storing;
    await this.#following;
    if (this.#failure !== undefined) throw this.#failure.error;
    return this.#results;
  }

  async #storeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gather();
      await this.#storeNext();
      this.#tellProgress();
    }
    this.#storing = undefined;
    this.#tellProgress();
  }

  #tellProgress(): void {
    this.#progress.resolve();
    this.#progress = Promise.withResolvers();
    this.#onProgress();
  }

  async #gather(): Promise<void> {
    this.#hasEnough = Promise.withResolvers();
    if (this.#isClosing || this.#waiting.length >= BATCH) return;
    const timer = setTimeout(this.#hasEnough.resolve, GATHER_MS);
    await this.#hasEnough.promise;
    clearTimeout(timer);
  }

  async #storeNext(): Promise<void> {
    const batch = this.#waiting.slice(0, this.#batch);
    try {
      const recorded = await recordOutcomes(
        this.#ctx,
        batch.map(({ outcome }) => outcome),
      );
      this.#waiting = this.#waiting.slice(batch.length);
      this.#failures.end();
      this.#batch = Math.min(this.#batch * 2, BATCH);
      this.#stored += batch.length;
      for (const { status } of recorded) if (status !== 'cancelled') this.#results[status] += 1;
      this.#following = Promise.all([this.#following, followUp(this.#ctx, recorded)]);
    } catch (error) {
      await this.#afterFailure(batch, error);
    }
  }

  async #afterFailure(batch: readonly Unstored[], error: unknown): Promise<void> {
    if (!(await this.#failures.wait())) {
      this.#failure ??= { error };
      this.#giveUp(this.#waiting.length, error);
      return;
    }
    this.#ctx.log.warn({ err: error, outcomes: batch.length }, 'Outcomes could not be stored; they are stored again');
    if (isDatabaseUnavailable(error)) return;
    // Perhaps one of them is to blame: it must not keep the others from being stored.
    this.#batch = Math.max(1, Math.floor(batch.length / 2));
    const [alone] = batch;
    if (batch.length > 1 || alone === undefined) return;
    if (alone.triesAlone === 0) alone.storedBefore = this.#stored;
    alone.triesAlone += 1;
    if (alone.triesAlone >= MOST_TRIES_ALONE && this.#stored > alone.storedBefore) this.#giveUp(1, error);
    else this.#waiting = [...this.#waiting.slice(1), alone];
  }

  #giveUp(count: number, err: unknown): void {
    const deliveryIds = this.#waiting.slice(0, count).map(({ outcome }) => outcome.deliveryId);
    this.#waiting = this.#waiting.slice(count);
    this.#ctx.log.error(
      { err, outcomes: count, delivery_ids: deliveryIds },
      'Outcomes could not be stored; their attempts are made again when the claims run out',
    );
  }
}
