import type { z } from 'zod';
import type { SyncReport } from '#lib/accounts/holders/contracts.ts';
import { pruneBalances } from '#lib/accounts/holders/prune-balances.ts';
import { failedReport, MOST_RESTARTS, syncToken, toReport } from '#lib/accounts/holders/sync-token.ts';
import { type WantedToken, wantedTokens } from '#lib/accounts/holders/tokens.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import { tokenName } from '#lib/xrpl/token.ts';
import type { holdersSlice } from './contracts.ts';

export type HoldersPlace = Omit<z.output<typeof holdersSlice>, 'run' | 'slice'>;

export interface TokensSynced {
  syncs: SyncReport[];
  faults: string[];
  /** Where the next slice begins, and whether only after a pause; null when all is done. */
  goesOn: { place: HoldersPlace; later: boolean } | null;
}

/**
 * Synchronises tokens from a place on until the deadline, then removes balances that nobody reads any more. A token that
 * fails keeps no other one from its turn; while the ledger does not answer, the run waits.
 */
export async function syncTokens(ctx: Ctx, from: HoldersPlace, deadlineMs: number): Promise<TokensSynced> {
  const syncs: SyncReport[] = [];
  const faults: string[] = [];
  const { next } = from;
  const waiting = next === null ? [] : (await wantedTokens(ctx.db)).filter(({ place }) => place >= next);
  for (const wanted of waiting) {
    const { sync: resume, restarts } = wanted.place === next ? from : { sync: null, restarts: 0 };
    const place = { next: wanted.place, sync: resume, restarts };
    if (syncs.length > 0 && ctx.clock.nowMs() >= deadlineMs) return { syncs, faults, goesOn: { place, later: false } };
    try {
      const { sync, restarts: used, later } = await syncToken(ctx, { wanted, resume, restarts, deadlineMs });
      syncs.push(toReport(sync));
      if (sync.status === 'complete') continue;
      return { syncs, faults, goesOn: { place: { ...place, sync: sync.id, restarts: used }, later } };
    } catch (error) {
      faults.push(faultOf(ctx, wanted, error));
      syncs.push(failedReport(tokenName(wanted.token)));
      const mayPass = error instanceof PlatformError && error.code === 'ledger_unavailable';
      if (mayPass && restarts < MOST_RESTARTS) {
        return { syncs, faults, goesOn: { place: { ...place, restarts: restarts + 1 }, later: true } };
      }
    }
  }
  const left = await pruneBalances(ctx, deadlineMs);
  const rest: HoldersPlace = { next: null, sync: null, restarts: 0 };
  return { syncs, faults, goesOn: left ? { place: rest, later: false } : null };
}

function faultOf(ctx: Ctx, { token }: WantedToken, error: unknown): string {
  const name = tokenName(token);
  ctx.log.error({ err: error, token: name }, 'the holders of a token could not be synchronised');
  return `${name}: ${error instanceof PlatformError ? error.detail : 'failed; the log says why'}`;
}
