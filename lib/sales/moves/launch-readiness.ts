import { sql } from 'drizzle-orm';
import type { Db, Tx } from '#lib/base/db.ts';
import { type FieldError, PlatformError } from '#lib/base/errors.ts';
import { termsOf } from '../projects/get-terms.ts';
import { findTiers, type ProjectRow, type TierRow } from '../projects/project-resource.ts';
import { type LaunchFacts, launchFaults } from './launch-checklist.ts';
import { owedByDistributor } from './launch-debts.ts';

/** A launch as it is to be persisted. */
export interface Launch {
  terms: string;
  termsHash: string;
  tierRows: readonly TierRow[];
  facts: LaunchFacts;
}

/**
 * Throws `launch_not_ready` with every fault, and `conflict` when the project is no longer what `launch` was made from.
 * Inside the transaction that persists the launch, call it under the purse's lock (`lockPurse`): then no two launches
 * count on the same tokens.
 */
export async function assertLaunchable(db: Db, nowMs: number, row: ProjectRow, launch: Launch): Promise<void> {
  const tierRows = await findTiers(db, row.id);
  // The facts are about these terms, and the signed memo anchors their hash.
  if (termsOf(row, tierRows).termsHash !== launch.termsHash) {
    throw new PlatformError('conflict', 'The project was changed meanwhile. Read it and launch it again.');
  }
  const owedElsewhere = await owedByDistributor(db, row, launch.facts.server.validatedIndex);
  const errors = [
    ...termsFaults(row, tierRows, nowMs),
    ...launchFaults(row, unsoldUnits(tierRows) + owedElsewhere, launch.facts),
  ];
  const [first] = errors;
  if (first !== undefined) {
    throw new PlatformError('launch_not_ready', `${first.field}: ${first.message}`, { errors });
  }
}

/** What has come in the way of a draft that was right when it was written. Pure. */
function termsFaults(row: ProjectRow, tierRows: readonly TierRow[], nowMs: number): FieldError[] {
  const faults: FieldError[] = [];
  if (row.endsAt !== null && row.endsAt.getTime() <= nowMs) {
    faults.push({ field: 'ends_at', message: 'lies in the past' });
  }
  if (row.listHash !== null) return faults;
  // A list for a later tier may still come; without one for the first, nobody could buy at all.
  const message = 'asks for an allowlist, and none is in force: upload one and commit it first';
  if (row.access === 'allowlist') faults.push({ field: 'access', message });
  else if (tierRows[0]?.access === 'allowlist') faults.push({ field: 'tiers.0.access', message });
  return faults;
}

/** Units that the tiers still owe to buyers. */
const unsoldUnits = (tierRows: readonly TierRow[]): bigint =>
  tierRows.reduce((sum, tier) => sum + tier.totalUnits - tier.soldUnits, 0n);

/** Until the transaction ends, one launch at a time may count what a distributor still has of a token. */
export async function lockPurse(tx: Tx, row: ProjectRow): Promise<void> {
  const purse = JSON.stringify([row.distributor, row.issuer, row.currency, row.issuanceId]);
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${purse}, 0))`);
}
