import { asc, eq, inArray } from 'drizzle-orm';
import { depositAccounts, projects, tiers } from '#drizzle/schema/sale.ts';
import type { Db, Tx } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { fullRaiseDrops } from '#lib/rules/allocate.ts';
import type { ProjectState, SaleState, TierState } from '#lib/rules/types.ts';

type ProjectRow = typeof projects.$inferSelect;
type TierRow = typeof tiers.$inferSelect;

const toMs = (date: Date | null): number | null => date?.getTime() ?? null;

const tierState = (row: TierRow, projectAccess: ProjectRow['access']): TierState => ({
  tier: row.tier,
  price: row.price,
  totalUnits: row.totalUnits,
  listed: projectAccess === 'allowlist' || row.access === 'allowlist',
  startsAtMs: toMs(row.startsAt),
  soldUnits: row.soldUnits,
  valueDrops: row.valueDrops,
  openedAtMs: toMs(row.openedAt),
  completedAtMs: toMs(row.completedAt),
});

/** The accounts of a project whose payments without a tag are its own doing, as published in its terms. */
export const operatingAccountsOf = (row: Pick<ProjectRow, 'issuer' | 'distributor' | 'treasury'>): string[] =>
  [...new Set([row.issuer, row.distributor, row.treasury])].filter((address) => address !== null).sort();

const projectState = (row: ProjectRow, tierRows: readonly TierRow[]): ProjectState => ({
  id: row.id,
  destinationTag: row.destinationTag,
  status: row.status,
  decimals: row.decimals,
  startsAtMs: toMs(row.startsAt),
  endsAtMs: toMs(row.endsAt),
  softCapDrops: row.softCapDrops,
  minInvestmentDrops: row.minInvestmentDrops,
  maxPerWalletDrops: row.maxPerWalletDrops,
  fullRaiseDrops: fullRaiseDrops(tierRows, row.decimals),
  refundMinDrops: row.refundMinDrops,
  termsHash: row.termsHash,
  operatingAccounts: operatingAccountsOf(row),
  raisedDrops: row.raisedDrops,
  launchedAtMs: toMs(row.launchedAt),
  endedAtMs: toMs(row.endedAt),
  endReason: row.endReason,
  listHash: row.listHash,
  lists: new Map(),
  wallets: new Map(),
  tiers: tierRows.map((tier) => tierState(tier, row.access)),
});

export interface LoadedAccount {
  account: typeof depositAccounts.$inferSelect;
  /** Without lists, wallets and held payments: `loadParties` adds those that the entries at hand name. */
  state: SaleState;
  /** Project rows by id, for what the reducer need not know (names, token, distributor). */
  rows: ReadonlyMap<string, ProjectRow>;
}

/**
 * Locks the deposit account's row until the transaction ends and loads the sale's confirmed state. `no key update`
 * excludes itself but not the foreign-key checks of a move that is being persisted, which would be a deadlock.
 */
export async function lockAndLoad(tx: Tx, address: string): Promise<LoadedAccount> {
  const [account] = await tx
    .select()
    .from(depositAccounts)
    .where(eq(depositAccounts.address, address))
    .for('no key update');
  return loadProjects(tx, address, account);
}

/** The sale's confirmed state as it stands, without a lock: for reading. */
export async function loadAccount(tx: Db, address: string): Promise<LoadedAccount> {
  const [account] = await tx.select().from(depositAccounts).where(eq(depositAccounts.address, address));
  return loadProjects(tx, address, account);
}

async function loadProjects(
  tx: Db,
  address: string,
  account: LoadedAccount['account'] | undefined,
): Promise<LoadedAccount> {
  if (account === undefined) throw new PlatformError('not_found', 'No such deposit account.');
  const projectRows = await tx
    .select()
    .from(projects)
    .where(eq(projects.depositAddress, address))
    .orderBy(asc(projects.id));
  const tierRows =
    projectRows.length === 0
      ? []
      : await tx
          .select()
          .from(tiers)
          .where(
            inArray(
              tiers.projectId,
              projectRows.map((row) => row.id),
            ),
          )
          .orderBy(asc(tiers.projectId), asc(tiers.tier));
  const tiersOf = Map.groupBy(tierRows, (row) => row.projectId);
  return {
    account,
    rows: new Map(projectRows.map((row) => [row.id, row])),
    state: {
      projects: new Map(projectRows.map((row) => [row.destinationTag, projectState(row, tiersOf.get(row.id) ?? [])])),
      held: new Map(),
      refundMinDrops: account.refundMinDrops,
    },
  };
}
