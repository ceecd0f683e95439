import { exactText } from '@tranche/rules/exact-decimal.ts';
import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import { platformToken } from '#lib/accounts/holders/tokens.ts';
import { toIso } from '#lib/base/clock.ts';
import type { Db } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import { createListFrom } from '#lib/sales/lists/create-list.ts';
import { getProject } from '#lib/sales/projects/get-project.ts';
import { tokenName } from '#lib/xrpl/token.ts';
import type { CreatedList, createListFromPlatformIdsContract } from './contracts.ts';
import { latestSnapshot, requireLevel, walletsOfLevel } from './eligibility.ts';

type Input = z.output<(typeof createListFromPlatformIdsContract)['body']> & { projectId: string };

const conflict = (detail: string) => new PlatformError('conflict', detail);

async function requireSnapshot(db: Db, expectedLedger: number | undefined) {
  const token = platformToken();
  if (token === null) throw conflict('There is no platform token: set PLATFORM_TOKEN first.');
  const snapshot = await latestSnapshot(db, tokenName(token));
  if (snapshot === null) throw conflict('There is no snapshot of the holders yet. Wait for the next synchronisation.');
  if (expectedLedger !== undefined && expectedLedger !== snapshot.ledgerIndex) {
    throw conflict(
      `The last snapshot is of ledger ${snapshot.ledgerIndex}, not of ledger ${expectedLedger}. Look at it by a dry run first.`,
    );
  }
  return snapshot;
}

async function countWallets(db: Db, wallets: ReturnType<typeof walletsOfLevel>): Promise<number> {
  const { rows } = await db.execute<{ wallets: number }>(
    sql`select count(*)::integer as wallets from (${wallets}) as w`,
  );
  return rows[0]?.wallets ?? 0;
}

/**
 * Makes a draft of a project's allowlist that holds exactly the wallets which have a Platform ID and reached `min_level` in
 * the last snapshot; in a dry run only counts them. It is published and anchored by `commitList`, like any draft. Throws
 * `invalid_request` for an unknown level, `project_not_found`, `transition_not_allowed`, `limit_reached`, and `conflict`
 * without a snapshot, with another than the one asked for, or when no wallet qualifies.
 */
export async function createListFromPlatformIds(ctx: Ctx, input: Input): Promise<CreatedList> {
  const minBalance = requireLevel(input.min_level);
  const { id: projectId } = await getProject(ctx, input.projectId);
  const snapshot = await requireSnapshot(ctx.db, input.ledger_index);
  const wallets = walletsOfLevel(snapshot.syncId, minBalance);
  const made = {
    min_level: input.min_level,
    required_balance: exactText(minBalance),
    ledger_index: snapshot.ledgerIndex,
    synced_at: toIso(snapshot.syncedAt),
  };
  if (input.dry_run) {
    return { dry_run: true, wallets: await countWallets(ctx.db, wallets), ...made, list: null };
  }
  const list = await createListFrom(ctx, {
    projectId,
    reason: input.reason,
    wallets,
    capDrops: input.cap_xrp ?? null,
    source: { platform_ids: { ...made, sync: snapshot.syncId } },
    // Balances of a superseded snapshot are being removed: what was read from them may be a part.
    confirm: async (tx) => {
      const { syncId } = await requireSnapshot(tx, undefined);
      if (syncId !== snapshot.syncId) throw conflict('A newer snapshot has come meanwhile. Try again.');
    },
  });
  return { dry_run: false, wallets: list.entries, ...made, list };
}
