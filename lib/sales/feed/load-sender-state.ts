import { type CredentialEntry, credentialKey } from '@tranche/rules/credentials.ts';
import { countsWallets } from '@tranche/rules/reduce.ts';
import type {
  AllowList,
  ProjectState,
  SaleAction,
  SaleEntry,
  SalePayment,
  SaleState,
  WalletTotals,
} from '@tranche/rules/types.ts';
import { and, eq, inArray, notExists, sql } from 'drizzle-orm';
import {
  allocations,
  credentialReadings,
  investments,
  listEntries,
  lists,
  type PaymentRow,
  payments,
  projects,
} from '#drizzle/schema/sale.ts';
import { textArray } from '#lib/base/bulk.ts';
import type { Db } from '#lib/base/db.ts';
import { isOfThisPeriod, paymentOf } from './load-state.ts';

/**
 * Adds to the state what the entries about to be reduced need to know of their senders: list entries, wallet totals, the
 * credentials that were read, and the held payments that actions name. At most five queries for any number of entries, and
 * none when no rule asks.
 */
export async function loadSenderState(tx: Db, state: SaleState, entries: readonly SaleEntry[]): Promise<SaleState> {
  const actions = entries.filter((entry) => entry.kind === 'action');
  const held = await loadHeld(tx, actions);
  const heldSenders = [...held.values()].map((payment) => payment.sender);
  const sendersOf = (project: ProjectState): string[] => [
    ...new Set([
      ...entries.flatMap((entry) =>
        entry.kind === 'payment' && entry.destinationTag === project.destinationTag ? [entry.sender] : [],
      ),
      ...heldSenders,
      // A payment of this very run may be assigned by an action of it.
      ...(actions.some((action) => action.action === 'assign')
        ? entries.flatMap((entry) => (entry.kind === 'payment' ? [entry.sender] : []))
        : []),
    ]),
  ];
  const concerned = [...state.projects.values()].map((project) => ({
    project,
    senders: countsWallets(project) ? sendersOf(project) : [],
    hashes: listHashesOf(project, actions),
  }));
  const listsOf = await loadLists(tx, concerned);
  const walletsOf = await loadWallets(tx, concerned);
  return {
    ...state,
    held,
    credentials: await loadCredentials(tx, state, entries, heldSenders),
    projects: new Map(
      concerned.map(({ project }) => [
        project.destinationTag,
        {
          ...project,
          lists: listsOf.get(project.id) ?? new Map(),
          wallets: walletsOf.get(project.id) ?? new Map(),
        },
      ]),
    ),
  };
}

const requiresCredential = ({ status, tiers }: ProjectState): boolean =>
  status !== 'completed' && status !== 'cancelled' && tiers.some((tier) => tier.credential !== null);

/** What was read of the senders in the ledgers before the entries. */
async function loadCredentials(
  tx: Db,
  state: SaleState,
  entries: readonly SaleEntry[],
  heldSenders: readonly string[],
): Promise<Map<string, CredentialEntry | null>> {
  if (![...state.projects.values()].some(requiresCredential)) return new Map();
  const subjects = [
    ...new Set([...heldSenders, ...entries.flatMap((entry) => (entry.kind === 'payment' ? [entry.sender] : []))]),
  ];
  const ledgers = [...new Set(entries.flatMap((entry) => (entry.kind === 'close' ? [] : [entry.ledgerIndex - 1])))];
  if (subjects.length === 0) return new Map();
  const rows = await tx
    .select()
    .from(credentialReadings)
    .where(
      and(
        sql`${credentialReadings.ledgerIndex} = any (${textArray(ledgers.map(String))}::bigint[])`,
        sql`${credentialReadings.subject} = any (${textArray(subjects)})`,
      ),
    );
  return new Map(
    rows.map((row) => [
      credentialKey(row),
      row.found ? { accepted: row.accepted, expiresAtMs: row.expiresAt?.getTime() ?? null } : null,
    ]),
  );
}

interface Concerned {
  project: ProjectState;
  senders: string[];
  /** List versions in force, or that an action among the entries puts in force. */
  hashes: string[];
}

const listHashesOf = (project: ProjectState, actions: readonly SaleAction[]): string[] => [
  ...new Set([
    ...(project.listHash !== null && project.tiers.some((tier) => tier.listed) ? [project.listHash] : []),
    ...actions.flatMap((action) =>
      action.projectId === project.id && action.listHash !== null ? [action.listHash] : [],
    ),
  ]),
];

async function loadHeld(tx: Db, actions: readonly SaleAction[]): Promise<Map<string, SalePayment>> {
  const hashes = actions.flatMap((action) => (action.paymentHash === null ? [] : [action.paymentHash]));
  if (hashes.length === 0) return new Map();
  const rows: PaymentRow[] = await tx
    .select()
    .from(payments)
    .where(
      and(
        inArray(payments.txHash, hashes),
        // What another deposit account holds is not there to be credited here.
        inArray(
          payments.account,
          tx
            .select({ address: projects.depositAddress })
            .from(projects)
            .where(
              inArray(
                projects.id,
                actions.map((action) => action.projectId),
              ),
            ),
        ),
        eq(payments.outcome, 'held'),
        isOfThisPeriod(),
        // XRP that arrived otherwise is never credited (docs/ledger-facts.md, 10).
        eq(payments.transactionType, 'Payment'),
        eq(payments.heldDrops, payments.receivedDrops),
        notExists(tx.select().from(investments).where(eq(investments.txHash, payments.txHash))),
      ),
    );
  return new Map(rows.map((row) => [row.txHash, paymentOf(row)]));
}

async function loadLists(tx: Db, concerned: readonly Concerned[]): Promise<Map<string, Map<string, AllowList>>> {
  const found = new Map<string, Map<string, AllowList>>();
  const asked = concerned.filter(({ hashes }) => hashes.length > 0);
  if (asked.length === 0) return found;
  const versions = await tx
    .select({ id: lists.id, projectId: lists.projectId, hash: lists.hash })
    .from(lists)
    .where(
      and(
        inArray(
          lists.projectId,
          asked.map(({ project }) => project.id),
        ),
        inArray(
          lists.hash,
          asked.flatMap(({ hashes }) => hashes),
        ),
      ),
    );
  const senders = [...new Set(asked.flatMap((each) => each.senders))];
  const rows =
    versions.length === 0 || senders.length === 0
      ? []
      : await tx
          .select()
          .from(listEntries)
          .where(
            and(
              inArray(
                listEntries.listId,
                versions.map((version) => version.id),
              ),
              sql`${listEntries.walletAddress} = any (${textArray(senders)})`,
            ),
          );
  const rowsOf = Map.groupBy(rows, (row) => row.listId);
  for (const { id, projectId, hash } of versions) {
    if (hash === null) continue;
    const ofProject = found.get(projectId) ?? new Map<string, AllowList>();
    ofProject.set(hash, new Map((rowsOf.get(id) ?? []).map((row) => [row.walletAddress, row.capDrops])));
    found.set(projectId, ofProject);
  }
  return found;
}

async function loadWallets(tx: Db, concerned: readonly Concerned[]): Promise<Map<string, Map<string, WalletTotals>>> {
  const found = new Map<string, Map<string, WalletTotals>>();
  const asked = concerned.filter(({ senders }) => senders.length > 0);
  if (asked.length === 0) return found;
  const listedTiers = new Set(
    asked.flatMap(({ project }) =>
      project.tiers.filter((tier) => tier.listed).map((tier) => `${project.id}/${tier.tier}`),
    ),
  );
  const rows = await tx
    .select({
      projectId: allocations.projectId,
      wallet: allocations.investorAccount,
      tier: allocations.tier,
      drops: sql<string>`sum(${allocations.amountDrops})::text`,
    })
    .from(allocations)
    .where(
      and(
        inArray(
          allocations.projectId,
          asked.map(({ project }) => project.id),
        ),
        sql`${allocations.investorAccount} = any (${textArray([...new Set(asked.flatMap((each) => each.senders))])})`,
      ),
    )
    .groupBy(allocations.projectId, allocations.investorAccount, allocations.tier);
  for (const row of rows) {
    const ofProject = found.get(row.projectId) ?? new Map<string, WalletTotals>();
    const before = ofProject.get(row.wallet) ?? { investedDrops: 0n, listedDrops: 0n };
    const drops = BigInt(row.drops);
    ofProject.set(row.wallet, {
      investedDrops: before.investedDrops + drops,
      listedDrops: before.listedDrops + (listedTiers.has(`${row.projectId}/${row.tier}`) ? drops : 0n),
    });
    found.set(row.projectId, ofProject);
  }
  return found;
}
