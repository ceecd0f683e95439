import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { amount, createdAt, id, instant, wholeNumber } from './columns.ts';

/** A ledger account that receives payments: where its feed has been read to, and up to where it is confirmed. */
export const depositAccounts = pgTable(
  'deposit_accounts',
  {
    address: text().primaryKey(),
    networkId: wholeNumber().notNull(),
    /** The feed starts after this ledger. */
    registeredLedger: wholeNumber().notNull(),
    /** Last ledger read whole, and its hash (a mismatch on the next connection stops the feed). */
    cursorLedger: wholeNumber().notNull(),
    cursorHash: text().notNull(),
    /** Everything in ledgers up to here is decided for good. */
    confirmedLedger: wholeNumber().notNull(),
    halted: boolean().notNull().default(false),
    /** Smallest refund for a payment that belongs to no project; fixed at registration, because it decides. */
    refundMinDrops: amount().notNull(),
    createdAt: createdAt(),
  },
  (t) => [check('deposit_accounts_order', sql`${t.confirmedLedger} <= ${t.cursorLedger}`)],
);

export const projects = pgTable(
  'projects',
  {
    id: id(),
    name: text().notNull(),
    slug: text().notNull().unique(),
    description: text().notNull().default(''),
    website: text(),
    logo: text(),
    status: text({ enum: ['draft', 'active', 'paused', 'completed', 'cancelled'] })
      .notNull()
      .default('draft'),
    tokenKind: text({ enum: ['iou', 'mpt'] }).notNull(),
    currency: text(),
    issuer: text(),
    issuanceId: text(),
    decimals: integer().notNull(),
    distributor: text().notNull(),
    depositAddress: text()
      .notNull()
      .references(() => depositAccounts.address),
    destinationTag: wholeNumber().notNull(),
    startsAt: instant(),
    endsAt: instant(),
    softCapDrops: amount(),
    minInvestmentDrops: amount(),
    maxPerWalletDrops: amount(),
    access: text({ enum: ['open', 'allowlist'] })
      .notNull()
      .default('open'),
    distribution: text({ enum: ['immediate', 'at_end'] })
      .notNull()
      .default('immediate'),
    vesting: jsonb()
      .$type<{ immediate_bps: number; cliff_days: number; period_days: number; periods: number }>()
      .notNull(),
    treasury: text(),
    claimDays: integer().notNull().default(90),
    /** Smallest change that is paid back; part of the terms. */
    refundMinDrops: amount().notNull(),
    /** Drops allocated so far (confirmed). */
    raisedDrops: amount().notNull().default(sql`0`),
    /** Canonical JSON as anchored by the launch move. */
    terms: text(),
    termsHash: text(),
    launchedAt: instant(),
    endedAt: instant(),
    createdAt: createdAt(),
  },
  (t) => [
    // A tag is never used again: projects are never deleted.
    unique('projects_tag').on(t.depositAddress, t.destinationTag),
    check('projects_tag_range', sql`${t.destinationTag} between 1 and 4294967295`),
    check('projects_decimals', sql`${t.decimals} between 0 and 6`),
    check(
      'projects_token',
      sql`(${t.tokenKind} = 'iou' and ${t.currency} is not null and ${t.issuer} is not null) or (${t.tokenKind} = 'mpt' and ${t.issuanceId} is not null)`,
    ),
  ],
);

export const tiers = pgTable(
  'tiers',
  {
    projectId: text()
      .notNull()
      .references(() => projects.id),
    tier: integer().notNull(),
    /** XRP per token, scaled by 10^12. */
    price: numeric({ precision: 30, scale: 0, mode: 'bigint' }).notNull(),
    totalUnits: amount().notNull(),
    soldUnits: amount().notNull().default(sql`0`),
    /** Drops allocated to the tier. */
    valueDrops: amount().notNull().default(sql`0`),
    access: text({ enum: ['open', 'allowlist'] })
      .notNull()
      .default('open'),
    startsAt: instant(),
    /** When the tier began to sell: launch, its own start, or the completion of the tier before it. */
    openedAt: instant(),
    completedAt: instant(),
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.tier] }),
    check('tiers_never_oversold', sql`${t.soldUnits} between 0 and ${t.totalUnits}`),
    check('tiers_positive', sql`${t.price} > 0 and ${t.totalUnits} > 0`),
  ],
);

/** Every XRP payment that reached a deposit account, in ledger order. */
export const payments = pgTable(
  'payments',
  {
    txHash: text().primaryKey(),
    account: text()
      .notNull()
      .references(() => depositAccounts.address),
    ledgerIndex: wholeNumber().notNull(),
    transactionIndex: integer().notNull(),
    closedAt: instant().notNull(),
    sender: text().notNull(),
    destinationTag: wholeNumber(),
    sourceTag: wholeNumber(),
    receivedDrops: amount().notNull(),
    projectId: text().references(() => projects.id),
    outcome: text({ enum: ['pending', 'invested', 'partial', 'refunded', 'held'] })
      .notNull()
      .default('pending'),
    reason: text(),
    investedDrops: amount().notNull().default(sql`0`),
    refundedDrops: amount().notNull().default(sql`0`),
    heldDrops: amount().notNull().default(sql`0`),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('payments_feed').on(t.account, t.ledgerIndex, t.transactionIndex),
    index('payments_pending').on(t.account, t.ledgerIndex, t.transactionIndex).where(sql`${t.outcome} = 'pending'`),
    index('payments_sender').on(t.sender),
    // received = invested + refunded + held, to the drop, once decided.
    check(
      'payments_conserved',
      sql`${t.outcome} = 'pending' or ${t.receivedDrops} = ${t.investedDrops} + ${t.refundedDrops} + ${t.heldDrops}`,
    ),
    check('payments_positive', sql`${t.investedDrops} >= 0 and ${t.refundedDrops} >= 0 and ${t.heldDrops} >= 0`),
  ],
);

/** A payment with a project's tag (specification 2.1). */
export const investments = pgTable(
  'investments',
  {
    id: id(),
    txHash: text()
      .notNull()
      .unique()
      .references(() => payments.txHash),
    projectId: text()
      .notNull()
      .references(() => projects.id),
    investorAccount: text().notNull(),
    amountDrops: amount().notNull(),
    status: text({ enum: ['pending_confirmation', 'confirmed', 'failed'] })
      .notNull()
      .default('pending_confirmation'),
    /** The quote at recognition; no units when the payment was to be refused already then. */
    quoteTier: integer().notNull(),
    quotePrice: numeric({ precision: 30, scale: 0, mode: 'bigint' }).notNull(),
    quoteUnits: amount().notNull(),
    confirmedDrops: amount(),
    totalUnits: amount(),
    unitsToDistribute: amount(),
    roundingDrops: amount(),
    reason: text(),
    /** Close time of the payment's ledger. */
    paidAt: instant().notNull(),
    confirmedAt: instant(),
    createdAt: createdAt(),
  },
  (t) => [
    index('investments_project').on(t.projectId, t.paidAt, t.id),
    index('investments_investor').on(t.investorAccount, t.paidAt, t.id),
    check(
      'investments_confirmed_whole',
      sql`${t.status} <> 'confirmed' or (${t.confirmedDrops} is not null and ${t.totalUnits} > 0 and ${t.confirmedAt} is not null)`,
    ),
  ],
);

/** One row a tier that an investment bought in. */
export const allocations = pgTable(
  'allocations',
  {
    investmentId: text()
      .notNull()
      .references(() => investments.id),
    projectId: text().notNull(),
    tier: integer().notNull(),
    investorAccount: text().notNull(),
    amountDrops: amount().notNull(),
    units: amount().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.investmentId, t.tier] }),
    foreignKey({ columns: [t.projectId, t.tier], foreignColumns: [tiers.projectId, tiers.tier] }),
    index('allocations_tier').on(t.projectId, t.tier, t.investorAccount),
    check('allocations_positive', sql`${t.units} > 0 and ${t.amountDrops} > 0`),
  ],
);

/** Launch, pause, resume, end, cancel: transactions of the deposit account to itself. */
export const moves = pgTable(
  'moves',
  {
    /** Known before submission, because the blob is persisted first. */
    txHash: text().primaryKey(),
    account: text()
      .notNull()
      .references(() => depositAccounts.address),
    projectId: text()
      .notNull()
      .references(() => projects.id),
    move: text({ enum: ['launch', 'pause', 'resume', 'end', 'cancel'] }).notNull(),
    termsHash: text(),
    /** submitted by us and open; seen in the feed but not yet decided; then applied or without effect; or expired unseen. */
    status: text({ enum: ['submitted', 'seen', 'applied', 'ineffective', 'expired'] }).notNull(),
    txBlob: text(),
    sequence: wholeNumber(),
    lastLedgerSequence: wholeNumber(),
    ledgerIndex: wholeNumber(),
    transactionIndex: integer(),
    closedAt: instant(),
    /** Why an ineffective move changed nothing. */
    detail: text(),
    createdAt: createdAt(),
  },
  (t) => [
    // One open move a project at a time: the second request is a 409, also under a race.
    uniqueIndex('moves_one_open').on(t.projectId).where(sql`${t.status} = 'submitted'`),
    index('moves_feed').on(t.account, t.ledgerIndex, t.transactionIndex),
  ],
);
