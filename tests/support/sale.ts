import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { tenants } from '#drizzle/schema/access.ts';
import { webhooks } from '#drizzle/schema/events.ts';
import { depositAccounts, projects, tiers } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';
import { newId } from '#lib/base/ids.ts';
import type { Ctx } from '#lib/ctx.ts';
import { EVENT_TYPES } from '#lib/events/catalogue.ts';
import { confirm } from '#lib/sales/feed/confirm.ts';
import { recognise } from '#lib/sales/feed/recognise.ts';
import type { FeedEntry, FeedPage, PaymentEntry } from '#lib/xrpl/types.ts';
import { START_MS } from './ctx.ts';

/** Addresses of accounts that nobody signs for. */
export const DEPOSIT = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
export const DISTRIBUTOR = 'rrrrrrrrrrrrrrrrrrrrrhoLvTp';
export const ISSUER = 'rrrrrrrrrrrrrrrrrrrrBZbvji';
export const START_LEDGER = 100;
export const CLOSED_AT_MS = START_MS;

export const XRP = 1_000_000n;
/** One XRP a token, scaled. */
export const PRICE_ONE = 10n ** 12n;

export interface SeedTier {
  price: bigint;
  totalUnits: bigint;
}

/** A deposit account that is read and confirmed through `ledger`, unless there is one. */
export async function addDepositAccount(
  db: Db,
  address: string,
  { networkId = 0, ledger = 1, ledgerHash = '0'.repeat(64) } = {},
): Promise<void> {
  await db
    .insert(depositAccounts)
    .values({
      address,
      networkId,
      registeredLedger: ledger,
      cursorLedger: ledger,
      cursorHash: ledgerHash,
      confirmedLedger: ledger,
      refundMinDrops: 1_000n,
    })
    .onConflictDoNothing();
}

/** A project, active and at the deposit account of hand-made feeds where nothing else is said. Returns its id. */
export async function addProject(db: Db, over: Partial<typeof projects.$inferInsert> = {}): Promise<string> {
  const id = over.id ?? newId('proj', randomBytes);
  await db.insert(projects).values({
    name: 'Sale',
    slug: id.toLowerCase().replaceAll('_', '-'),
    status: 'active',
    tokenKind: 'iou',
    currency: 'DMO',
    issuer: ISSUER,
    decimals: 6,
    distributor: DISTRIBUTOR,
    depositAddress: DEPOSIT,
    destinationTag: 77,
    vesting: { immediate_bps: 10_000, cliff_days: 0, period_days: 0, periods: 0 },
    refundMinDrops: 1_000n,
    ...over,
    id,
  });
  return id;
}

/** How far the feed of a deposit account is read, and confirmed: ledger indexes. */
export async function positionOf(db: Db, address = DEPOSIT): Promise<{ cursor: number; confirmed: number }> {
  const [account] = await db.select().from(depositAccounts).where(eq(depositAccounts.address, address));
  if (account === undefined) throw new Error(`No deposit account ${address}`);
  return { cursor: account.cursorLedger, confirmed: account.confirmedLedger };
}

/** An active sale with its deposit account, written straight into the database. Returns its id and tag. */
export async function seedSale(
  db: Db,
  {
    tag = 77,
    tierList = [
      { price: PRICE_ONE / 10n, totalUnits: 1_000n * XRP },
      { price: PRICE_ONE / 5n, totalUnits: 5_000n * XRP },
    ],
  }: { tag?: number; tierList?: SeedTier[] } = {},
): Promise<{ projectId: string; tag: number }> {
  await addDepositAccount(db, DEPOSIT, { ledger: START_LEDGER });
  const projectId = await addProject(db, { destinationTag: tag, launchedAt: new Date(CLOSED_AT_MS - 3_600_000) });
  await db.insert(tiers).values(
    tierList.map((tier, index) => ({
      projectId,
      tier: index + 1,
      ...tier,
      openedAt: index === 0 ? new Date(CLOSED_AT_MS - 3_600_000) : null,
    })),
  );
  return { projectId, tag };
}

/**
 * A webhook that wants every event, written straight into the database: each event makes one delivery when it is fanned
 * out. Of drafts only the administrators' tenant is told.
 */
export async function subscribeToAll(db: Db, tenantId = 'ten_1'): Promise<void> {
  await db.insert(tenants).values({ id: tenantId }).onConflictDoNothing();
  await addWebhooks(db, [{ id: 'wh_1', tenantId }]);
}

/** Webhooks whose secret nobody knows, each for every event where nothing else is said. */
export const addWebhooks = async (
  db: Db,
  rows: readonly (Partial<typeof webhooks.$inferInsert> & { id: string; tenantId: string })[],
): Promise<void> =>
  void (await db.insert(webhooks).values(
    rows.map((row) => ({
      url: 'https://receiver.example/hook',
      host: 'receiver.example',
      events: [...EVENT_TYPES],
      sealedSecret: 'sealed',
      apiVersion: '2026-11',
      ...row,
    })),
  ));

/** When the ledgers of hand-made feeds close: every four seconds. */
export const closeOf = (ledgerIndex: number): number => CLOSED_AT_MS + (ledgerIndex - START_LEDGER) * 4_000;

/** When the payments of a ledger of a hand-made feed are confirmed: by the next one. */
export const confirmedAtMs = (ledgerIndex: number): number => closeOf(ledgerIndex + 1);

/** Hash of a ledger of a hand-made feed. */
const ledgerHashOf = (ledgerIndex: number): string => ledgerIndex.toString(16).padStart(64, '0').toUpperCase();

/** A payment of the feed; hash and sender follow from its place. */
export function paymentEntry(
  ledgerIndex: number,
  transactionIndex: number,
  drops: bigint,
  over: Partial<PaymentEntry> = {},
): PaymentEntry {
  return {
    kind: 'payment',
    hash: `${ledgerIndex.toString(16)}${transactionIndex.toString(16).padStart(8, '0')}`
      .padStart(64, 'A')
      .toUpperCase(),
    ledgerIndex,
    transactionIndex,
    closedAtMs: closeOf(ledgerIndex),
    changeDrops: drops,
    feeDrops: 0n,
    sender: `rInvestor${transactionIndex % 7}`,
    destinationTag: 77,
    sourceTag: null,
    deliveredDrops: drops,
    ...over,
  };
}

export const pageOf = (entries: FeedEntry[], readThrough: number): FeedPage => ({
  entries,
  readThrough,
  readThroughHash: ledgerHashOf(readThrough),
});

/** Reads entries of a hand-made feed from where the last ones ended, through the last one's ledger, and decides them. */
export async function takeEntries(
  ctx: Ctx,
  entries: FeedEntry[],
  { through = entries.at(-1)?.ledgerIndex ?? 0, isConfirmed = true }: { through?: number; isConfirmed?: boolean } = {},
): Promise<void> {
  const { cursor } = await positionOf(ctx.db);
  await recognise(ctx, { account: DEPOSIT, afterLedger: cursor, page: pageOf(entries, through) });
  if (isConfirmed) await confirm(ctx, { account: DEPOSIT, throughLedger: through, closedAtMs: null, confirmedAtMs });
}
