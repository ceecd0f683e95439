import { type SQL, sql } from 'drizzle-orm';
import { deliveries, webhooks } from '#drizzle/schema/events.ts';
import { bulkRows } from '#lib/base/bulk.ts';
import type { Ctx } from '#lib/ctx.ts';
import { hostKey, isUnderWay } from './claim.ts';

/** How often those still under way are looked for. */
const LOOK_MS = 250;

type Claim = { id: string; leasedUntil: string; webhookId: string; host: string };

const isFirstUnderWay = (): SQL => sql`d.status = 'pending' and ${isUnderWay()}`;

/** First attempts that another slice has under way: a receiver must not feel that one slice follows another. */
export class Elsewhere {
  readonly #ctx: Ctx;
  #claims: readonly Claim[];
  #lookedAtMs: number;

  private constructor(ctx: Ctx, claims: readonly Claim[]) {
    this.#ctx = ctx;
    this.#claims = claims;
    this.#lookedAtMs = performance.now();
  }

  /** Finds them. Call it before the slice claims anything itself. */
  static async find(ctx: Ctx): Promise<Elsewhere> {
    const { rows } = await ctx.db.execute<Claim>(sql`
      select d.id, d.leased_until::text as "leasedUntil", w.id as "webhookId", ${hostKey} as host
      from ${deliveries} d join ${webhooks} w on w.id = d.webhook_id where d.leased_until > now() and ${isFirstUnderWay()}`);
    return new Elsewhere(ctx, rows);
  }

  get count(): number {
    return this.#claims.length;
  }

  get ofWebhooks(): ReadonlyMap<string, number> {
    return countBy(this.#claims, ({ webhookId }) => webhookId);
  }

  get ofHosts(): ReadonlyMap<string, number> {
    return countBy(this.#claims, ({ host }) => host);
  }

  /** Forgets those that have ended, looking for them now and then. True when there were any. */
  async hasFewer(): Promise<boolean> {
    const nowMs = performance.now();
    if (this.count === 0 || nowMs - this.#lookedAtMs < LOOK_MS) return false;
    this.#lookedAtMs = nowMs;
    const known = bulkRows(
      'known',
      { id: 'text', leased_until: 'timestamptz' },
      this.#claims.map(({ id, leasedUntil }) => ({ id, leased_until: leasedUntil })),
    );
    const { rows } = await this.#ctx.db.execute<{ id: string }>(sql`
      select d.id from ${known} join ${deliveries} d on d.id = known.id and d.leased_until = known.leased_until
      where ${isFirstUnderWay()}`);
    const underWay = new Set(rows.map(({ id }) => id));
    const before = this.count;
    this.#claims = this.#claims.filter(({ id }) => underWay.has(id));
    return this.count < before;
  }
}

function countBy(claims: readonly Claim[], nameOf: (claim: Claim) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const claim of claims) counts.set(nameOf(claim), (counts.get(nameOf(claim)) ?? 0) + 1);
  return counts;
}
