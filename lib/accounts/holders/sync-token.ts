import { and, eq } from 'drizzle-orm';
import { holderSyncs } from '#drizzle/schema/holders.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import { tokenName } from '#lib/xrpl/token-name.ts';
import type { HolderPage } from '#lib/xrpl/types.ts';
import { finishSync } from './finish-sync.ts';
import { readPages } from './read-pages.ts';
import { type Sync, startSync } from './start-sync.ts';
import type { WantedToken } from './wanted-tokens.ts';

/** How often one run begins a token anew: a server that loses its place more often will lose it again. */
export const MOST_RESTARTS = 5;

export interface SyncTask {
  wanted: WantedToken;
  /** The synchronisation to go on with; null begins one. */
  resume: string | null;
  /** How often this run has begun the token anew. */
  restarts: number;
  deadlineMs: number;
}

export interface Synced {
  sync: Sync;
  restarts: number;
  /** The ledger has too much to do: the rest is for later. */
  later: boolean;
}

/**
 * Brings the synchronisation of one token on until it is complete or the deadline has passed; `sync.status` tells which.
 * When its place is lost (the marker has expired, the server is gone) it begins anew in the newest ledger. Throws
 * `service_unavailable` when that happens too often, `conflict` when another run has taken it over.
 */
export async function syncToken(ctx: Ctx, { wanted, resume, restarts, deadlineMs }: SyncTask): Promise<Synced> {
  const { token } = wanted;
  let { sync, first } = (await resumed(ctx, tokenName(token), resume)) ?? (await begun(ctx, wanted));
  for (let again = restarts; ; again += 1) {
    const reading = await readPages(ctx, token, { sync, first, deadlineMs });
    if (reading === 'paused') return { sync: await current(ctx, sync), restarts: again, later: false };
    if (reading === 'whole') {
      const done = await finishSync(ctx, token, sync);
      if (done !== null) return { sync: done, restarts: again, later: false };
    }
    if (reading === 'whole' || reading === 'overtaken') {
      throw new PlatformError('conflict', `Another run has taken over the holders of ${sync.token}.`);
    }
    ctx.log.warn(
      { token: sync.token, server: sync.server, ledger: sync.ledgerIndex, reading },
      'holders were not read',
    );
    if (again >= MOST_RESTARTS) {
      throw new PlatformError(
        'service_unavailable',
        'The ledger servers broke off too often before all holders were read.',
      );
    }
    if (reading === 'refused') return { sync: await current(ctx, sync), restarts: again + 1, later: true };
    ({ sync, first } = await begun(ctx, wanted));
  }
}

type Place = { sync: Sync; first: HolderPage | null };

async function begun(ctx: Ctx, { token }: WantedToken): Promise<Place> {
  const opened = await ctx.ledger.openHolders(token);
  return { sync: await startSync(ctx, token, opened), first: opened.first };
}

async function resumed(ctx: Ctx, token: string, id: string | null): Promise<Place | null> {
  if (id === null) return null;
  const [sync] = await ctx.db
    .select()
    .from(holderSyncs)
    .where(and(eq(holderSyncs.id, id), eq(holderSyncs.token, token), eq(holderSyncs.status, 'running')));
  return sync === undefined ? null : { sync, first: null };
}

async function current(ctx: Ctx, { id }: Sync): Promise<Sync> {
  const [sync] = await ctx.db.select().from(holderSyncs).where(eq(holderSyncs.id, id));
  if (sync === undefined) throw new Error('A synchronisation has vanished');
  return sync;
}
