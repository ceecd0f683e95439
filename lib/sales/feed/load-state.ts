import { decodeAction } from '@tranche/rules/action-memo.ts';
import { fullRaiseDrops } from '@tranche/rules/allocate.ts';
import type { Custody } from '@tranche/rules/custody.ts';
import type { SelfEntry } from '@tranche/rules/feed-entry.ts';
import type { ProjectState, SaleAction, SalePayment, SaleState, TierState } from '@tranche/rules/types.ts';
import { and, asc, eq, inArray, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import {
  actions,
  type DepositAccountRow,
  depositAccounts,
  type PaymentRow,
  type ProjectRow,
  payments,
  projects,
  type TierRow,
  tiers,
} from '#drizzle/schema/sale.ts';
import { textArray } from '#lib/base/bulk.ts';
import type { Db, Tx } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';

const toMs = (date: Date | null): number | null => date?.getTime() ?? null;

const tierState = (row: TierRow, projectAccess: ProjectRow['access']): TierState => ({
  tier: row.tier,
  price: row.price,
  totalUnits: row.totalUnits,
  listed: projectAccess === 'allowlist' || row.access === 'allowlist',
  credential: row.credential,
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
  custody: row.custody,
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
  account: DepositAccountRow;
  /** Without lists, wallets and held payments: `loadSenderState` adds those that the entries at hand name. */
  state: SaleState;
  /** Project rows by id, for what the reducer need not know (names, token, distributor). */
  rows: ReadonlyMap<string, ProjectRow>;
}

/**
 * The deposit account's row, locked until the transaction ends: no other process writes its feed meanwhile. `no key update`
 * excludes itself but not the foreign-key checks of an action that is being persisted, which would be a deadlock.
 */
export async function lockDepositAccount(tx: Tx, address: string): Promise<DepositAccountRow | undefined> {
  const [account] = await tx
    .select()
    .from(depositAccounts)
    .where(eq(depositAccounts.address, address))
    .for('no key update');
  return account;
}

/** The same of an account that must be there. Throws `not_found`. */
export const lockAccount = async (tx: Tx, address: string): Promise<DepositAccountRow> =>
  found(await lockDepositAccount(tx, address));

function found(account: DepositAccountRow | undefined): DepositAccountRow {
  if (account === undefined) throw new PlatformError('not_found', 'No such deposit account.');
  return account;
}

/** What of an entry names a project: its tag, or the memo of an action. */
type Naming =
  | Pick<SalePayment, 'kind' | 'destinationTag'>
  | Pick<SaleAction, 'kind' | 'projectId'>
  | SelfEntry
  | { kind: 'other' };

interface Wanted {
  /** What is to be recorded or decided: drafts that it names are loaded too. */
  entries?: readonly Naming[];
  /** Also this one, whatever it is: a draft, or a sale of an earlier custody period. */
  alsoId?: string;
}

/** Locks the deposit account and loads the sale's confirmed state. */
export const lockAndLoad = async (tx: Tx, address: string, wanted?: Wanted): Promise<LoadedAccount> =>
  loadProjects(tx, await lockAccount(tx, address), wanted);

/** The sale's confirmed state as it stands, without a lock: for reading. */
export async function loadAccount(tx: Db, address: string, wanted?: Wanted): Promise<LoadedAccount> {
  const [account] = await tx.select().from(depositAccounts).where(eq(depositAccounts.address, address));
  return loadProjects(tx, found(account), wanted);
}

/** The projects of an account, without those drafts of which nothing is known but that they are there: anybody may make many. */
export async function loadProjects(
  tx: Db,
  account: DepositAccountRow,
  { entries = [], alsoId }: Wanted = {},
): Promise<LoadedAccount> {
  const { tags, ids: namedIds } = namedBy(entries);
  if (alsoId !== undefined) namedIds.add(alsoId);
  const projectRows = await tx
    .select()
    .from(projects)
    .where(
      and(
        eq(projects.depositAddress, account.address),
        or(
          ne(projects.status, 'draft'),
          sql`${projects.id} in (select ${actions.projectId} from ${actions}
            where ${actions.account} = ${account.address} and ${actions.status} in ('submitted', 'seen'))`,
          sql`${projects.destinationTag} = any (${textArray([...tags].map(String))}::bigint[])`,
          sql`${projects.id} = any (${textArray([...namedIds])})`,
        ),
      ),
    )
    .orderBy(asc(projects.id));
  const ids = projectRows.map((row) => row.id);
  const tierRows =
    ids.length === 0
      ? []
      : await tx
          .select()
          .from(tiers)
          .where(inArray(tiers.projectId, ids))
          .orderBy(asc(tiers.projectId), asc(tiers.tier));
  const tiersOf = Map.groupBy(tierRows, (row) => row.projectId);
  // Of an earlier custody period nothing is open, and its tags name no sale: as its witnesses have it (docs/custody.md).
  const inForce = projectRows.filter((row) => row.custodyThroughLedger === null || row.id === alsoId);
  return {
    account,
    rows: new Map(projectRows.map((row) => [row.id, row])),
    state: {
      projects: new Map(inForce.map((row) => [row.destinationTag, projectState(row, tiersOf.get(row.id) ?? [])])),
      held: new Map(),
      refundMinDrops: account.refundMinDrops,
    },
  };
}

function namedBy(entries: readonly Naming[]): { tags: Set<number>; ids: Set<string> } {
  const [tags, ids] = [new Set<number>(), new Set<string>()];
  for (const entry of entries) {
    if (entry.kind === 'payment') {
      if (entry.destinationTag !== null) tags.add(entry.destinationTag);
      continue;
    }
    const action = entry.kind === 'self' ? decodeAction(entry) : entry.kind === 'action' ? entry : null;
    if (action !== null) ids.add(action.projectId);
  }
  return { tags, ids };
}

/** True of a payment that came in its account's present custody period: earlier ones are unknown to those who sign now. */
export const isOfThisPeriod = (): SQL => sql`${payments.ledgerIndex} > coalesce((
    select (${depositAccounts.custody}->>'from_ledger')::bigint from ${depositAccounts}
    where ${depositAccounts.address} = ${payments.account}), 0)`;

/** What the rules know of a payment. */
const OF_PAYMENT = {
  txHash: payments.txHash,
  ledgerIndex: payments.ledgerIndex,
  transactionIndex: payments.transactionIndex,
  closedAt: payments.closedAt,
  sender: payments.sender,
  destinationTag: payments.destinationTag,
  receivedDrops: payments.receivedDrops,
};

export const paymentOf = (row: Pick<PaymentRow, keyof typeof OF_PAYMENT>): SalePayment => ({
  kind: 'payment',
  hash: row.txHash,
  ledgerIndex: row.ledgerIndex,
  transactionIndex: row.transactionIndex,
  closedAtMs: row.closedAt.getTime(),
  sender: row.sender,
  destinationTag: row.destinationTag,
  receivedDrops: row.receivedDrops,
});

type PendingEntry = SalePayment | SaleAction;
export interface Pending {
  entries: PendingEntry[];
  /** The last ledger that they cover. */
  through: number;
}

/** One more than this is still a number. */
const ALL_ENTRIES = Number.MAX_SAFE_INTEGER - 1;

/**
 * Recognised entries that are not decided yet, in feed order, up to a ledger; about `maxEntries`, whole ledgers only.
 */
export async function loadPending(
  tx: Tx,
  account: string,
  throughLedger: number,
  maxEntries = ALL_ENTRIES,
): Promise<Pending> {
  const paymentRows = await tx
    .select(OF_PAYMENT)
    .from(payments)
    .where(
      and(eq(payments.account, account), eq(payments.outcome, 'pending'), lte(payments.ledgerIndex, throughLedger)),
    )
    .orderBy(payments.ledgerIndex, payments.transactionIndex)
    .limit(maxEntries + 1);
  let through = throughLedger;
  if (paymentRows.length > maxEntries) {
    // The last ledger may be cut: leave it to the next round, unless it is the only one.
    const lastLedger = paymentRows[maxEntries]?.ledgerIndex ?? throughLedger;
    const firstLedger = paymentRows[0]?.ledgerIndex ?? lastLedger;
    if (lastLedger === firstLedger) return loadPending(tx, account, lastLedger);
    through = lastLedger - 1;
  }
  const actionRows = await tx
    .select()
    .from(actions)
    .where(and(eq(actions.account, account), eq(actions.status, 'seen'), sql`${actions.ledgerIndex} <= ${through}`));
  const entries: PendingEntry[] = [];
  for (const row of paymentRows) {
    if (row.ledgerIndex > through) break;
    entries.push(paymentOf(row));
  }
  for (const row of actionRows) {
    if (row.ledgerIndex === null || row.transactionIndex === null || row.closedAt === null) continue;
    entries.push({
      kind: 'action',
      hash: row.txHash,
      ledgerIndex: row.ledgerIndex,
      transactionIndex: row.transactionIndex,
      closedAtMs: row.closedAt.getTime(),
      projectId: row.projectId,
      action: row.action,
      termsHash: row.termsHash,
      listHash: row.listHash,
      paymentHash: row.paymentHash,
      signers: row.signers,
    });
  }
  entries.sort((a, b) => a.ledgerIndex - b.ledgerIndex || a.transactionIndex - b.transactionIndex);
  return { entries, through };
}

/** How far an account's feed has been read, and how far it is decided. */
export interface Position {
  cursorLedger: number;
  cursorHash: string;
  confirmedLedger: number;
  custody: Custody | null;
  /** One of its sales is active or paused. */
  isSelling: boolean;
  /** One of its sales that are not over requires a credential in some tier. */
  requiresCredentials: boolean;
}

export async function readFeedPosition(db: Db, account: string): Promise<Position> {
  const [row] = await db
    .select({
      cursorLedger: depositAccounts.cursorLedger,
      cursorHash: depositAccounts.cursorHash,
      confirmedLedger: depositAccounts.confirmedLedger,
      custody: depositAccounts.custody,
      isSelling: sql<boolean>`exists (select from ${projects} where ${projects.depositAddress} = ${depositAccounts.address}
        and ${projects.status} in ('active', 'paused'))`,
      requiresCredentials: sql<boolean>`exists (select from ${projects} join ${tiers} on ${tiers.projectId} = ${projects.id}
        where ${projects.depositAddress} = ${depositAccounts.address}
        and ${projects.status} in ('draft', 'active', 'paused') and ${tiers.credential} is not null)`,
    })
    .from(depositAccounts)
    .where(eq(depositAccounts.address, account));
  if (row === undefined) throw new Error(`No deposit account ${account}`);
  return row;
}
