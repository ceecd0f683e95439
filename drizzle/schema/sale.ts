import type { CredentialRequirement } from '@tranche/rules/credentials.ts';
import type { Custody } from '@tranche/rules/custody.ts';
import type { Lock } from '@tranche/rules/locks.ts';
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
import { tenants } from './access.ts';
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
    /** Balance at registration and every change that the feed has shown since; null until a first balance was read. */
    recordedBalanceDrops: amount(),
    /** `recordedBalanceDrops` holds every change after this ledger, and what stood before it as one sum; null with it. */
    recordedFromLedger: wholeNumber(),
    /** Balance on the ledger minus the recorded balance, at the last ledger where the two were compared. Not zero: something was missed. */
    differenceDrops: amount().notNull().default(sql`0`),
    reconciledLedger: wholeNumber(),
    /** Smallest refund for a payment that belongs to no project; fixed at registration, because it decides. */
    refundMinDrops: amount().notNull(),
    /** Whose signatures the account needs, for drafts that are launched from now on; null when one key signs. */
    custody: jsonb().$type<Custody>(),
    createdAt: createdAt(),
  },
  (t) => [check('deposit_accounts_order', sql`${t.confirmedLedger} <= ${t.cursorLedger}`)],
);
export type DepositAccountRow = typeof depositAccounts.$inferSelect;

export const projects = pgTable(
  'projects',
  {
    id: id(),
    /** Whose members run the sale; null for a sale of the administrators. Never changes. */
    tenantId: text().references(() => tenants.id),
    name: text().notNull(),
    slug: text().notNull().unique(),
    description: text().notNull().default(''),
    website: text(),
    logo: text(),
    links: jsonb().$type<{ label: string; url: string }[]>().notNull().default([]),
    team: jsonb().$type<{ name: string; role: string; url: string | null }[]>().notNull().default([]),
    documents: jsonb().$type<{ title: string; url: string; sha256: string | null }[]>().notNull().default([]),
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
    /** Wallets with an allocation, as counted when `investorsDrops` were raised: a later sum makes the count an old one. */
    investors: integer().notNull().default(0),
    investorsDrops: amount().notNull().default(sql`0`),
    /** Canonical JSON as anchored by the launch action. */
    terms: text(),
    termsHash: text(),
    /** Whose signatures the paying accounts need, as in the terms; null when one key signs. */
    custody: jsonb().$type<Custody>(),
    /** Last ledger of the sale's custody period; null while it lasts. After it the sale has no tag (docs/custody.md). */
    custodyThroughLedger: wholeNumber(),
    /** Tokens that cannot move before a time, with the escrows that prove it, as in the terms. */
    locks: jsonb().$type<Lock[]>().notNull().default([]),
    /** What stays unsold is put in escrow at the sale's end and cannot move before this time, as in the terms. */
    unsoldUntil: instant(),
    /** What vesting owes at the sale's end is put in escrow until the day on which it is due, as in the terms. */
    vestingLocked: boolean().notNull().default(false),
    /** The locks that follow from that are owed, or the sale has ended with nothing to lock. */
    vestingLocksOwed: boolean().notNull().default(false),
    /** The allowlist version in force: the one that the last `list` action anchored. */
    listHash: text(),
    launchedAt: instant(),
    endedAt: instant(),
    endReason: text({ enum: ['sold_out', 'ended', 'end_date', 'soft_cap_missed', 'cancelled'] }),
    /** Drops that a cancel or a missed soft cap took out of investments again, to be refunded. */
    cancelledDrops: amount().notNull().default(sql`0`),
    /** When a cancelled sale had nothing left to refund. */
    cancellationCompletedAt: instant(),
    /** When the draft was deleted. Its row stays, because its tag is never used again; nobody can read or launch it. */
    deletedAt: instant(),
    createdAt: createdAt(),
  },
  (t) => [
    index('projects_tenant').on(t.tenantId, t.createdAt, t.id).where(sql`${t.tenantId} is not null`),
    // A tag is never used again: projects are never deleted.
    unique('projects_tag').on(t.depositAddress, t.destinationTag),
    check('projects_tag_range', sql`${t.destinationTag} between 1 and 4294967295`),
    check('projects_decimals', sql`${t.decimals} between 0 and 6`),
    check(
      'projects_about',
      sql`jsonb_typeof(${t.links}) = 'array' and jsonb_typeof(${t.team}) = 'array' and jsonb_typeof(${t.documents}) = 'array'`,
    ),
    check('projects_locks', sql`jsonb_typeof(${t.locks}) = 'array'`),
    check(
      'projects_token',
      sql`(${t.tokenKind} = 'iou' and ${t.currency} is not null and ${t.issuer} is not null) or (${t.tokenKind} = 'mpt' and ${t.issuanceId} is not null)`,
    ),
  ],
);
export type ProjectRow = typeof projects.$inferSelect;

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
    /** The credential that a buyer must hold, as in the terms; null when none is required. */
    credential: jsonb().$type<CredentialRequirement>(),
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
export type TierRow = typeof tiers.$inferSelect;

/** XRP that reached a deposit account, in ledger order: payments, and what arrived otherwise (held, never credited). */
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
    /** `Payment`, or the type of the transaction by which XRP arrived otherwise. */
    transactionType: text().notNull().default('Payment'),
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
    index('payments_late').on(t.account).where(sql`${t.heldDrops} > 0 and ${t.reason} = 'late_discovery'`),
    index('payments_held').on(t.ledgerIndex, t.transactionIndex).where(sql`${t.heldDrops} > 0`),
    // The largest first: dust does not hide what matters.
    index('payments_held_amount').on(t.heldDrops, t.ledgerIndex, t.transactionIndex).where(sql`${t.heldDrops} > 0`),
    // received = invested + refunded + held, to the drop, once decided.
    check(
      'payments_conserved',
      sql`${t.outcome} = 'pending' or ${t.receivedDrops} = ${t.investedDrops} + ${t.refundedDrops} + ${t.heldDrops}`,
    ),
    check('payments_positive', sql`${t.investedDrops} >= 0 and ${t.refundedDrops} >= 0 and ${t.heldDrops} >= 0`),
  ],
);
export type PaymentRow = typeof payments.$inferSelect;

/** What a validated ledger, as it closed, holds of one credential: what decides a payment in the ledger after it. Never changes. */
export const credentialReadings = pgTable(
  'credential_readings',
  {
    ledgerIndex: wholeNumber().notNull(),
    subject: text().notNull(),
    issuer: text().notNull(),
    /** Hex, as the ledger has it. */
    credentialType: text().notNull(),
    found: boolean().notNull(),
    /** The subject has accepted it. */
    accepted: boolean().notNull(),
    /** The last moment at which it is valid. */
    expiresAt: instant(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({
      name: 'credential_readings_pk',
      columns: [t.ledgerIndex, t.subject, t.issuer, t.credentialType],
    }),
    check('credential_readings_whole', sql`${t.found} or (not ${t.accepted} and ${t.expiresAt} is null)`),
  ],
);

/** A payment with a project's tag. */
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
    /** False until the parts of its distribution stand in `payouts`: with `at_end`, that is when the sale has ended. */
    payoutsPlanned: boolean().notNull().default(true),
    /** A cancel or a missed soft cap has been dealt with for this investment. */
    cancellationApplied: boolean().notNull().default(false),
    /** Close time of the payment's ledger. */
    paidAt: instant().notNull(),
    /** Close time of the ledger that confirmed it. */
    confirmedAt: instant(),
    /** Close time of the ledger that decided it, as written then; null in rows from before the column, whose `confirmed_at` it is. */
    decidedAt: instant(),
    createdAt: createdAt(),
  },
  (t) => [
    index('investments_project').on(t.projectId, t.paidAt, t.id),
    index('investments_investor').on(t.investorAccount, t.paidAt, t.id),
    index('investments_unplanned').on(t.projectId, t.id).where(sql`not ${t.payoutsPlanned}`),
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
    index('allocations_wallet').on(t.projectId, t.investorAccount),
    check('allocations_positive', sql`${t.units} > 0 and ${t.amountDrops} > 0`),
  ],
);
export type AllocationRow = typeof allocations.$inferSelect;

/** Actions: transactions of the deposit account to itself that change a sale (lib/rules/types.ts, ACTIONS). */
export const actions = pgTable(
  'actions',
  {
    /** Known before submission, because the blob is persisted first. */
    txHash: text().primaryKey(),
    account: text()
      .notNull()
      .references(() => depositAccounts.address),
    projectId: text()
      .notNull()
      .references(() => projects.id),
    action: text({ enum: ['launch', 'pause', 'resume', 'end', 'cancel', 'list', 'assign'] }).notNull(),
    termsHash: text(),
    /** The allowlist version that a `list` action anchors. */
    listHash: text(),
    /** The held payment that an `assign` action credits to the project. */
    paymentHash: text(),
    /** The keys of the account's signer list that signed it; none when one key did, or while it is not seen. */
    signers: jsonb().$type<string[]>().notNull().default([]),
    /** submitted by us and open; seen in the feed but not yet decided; then applied or without effect; or expired unseen. */
    status: text({ enum: ['submitted', 'seen', 'applied', 'ineffective', 'expired'] }).notNull(),
    txBlob: text(),
    sequence: wholeNumber(),
    lastLedgerSequence: wholeNumber(),
    /** Validated ledger when a server last answered its submission; null when none did. */
    submittedLedger: wholeNumber(),
    ledgerIndex: wholeNumber(),
    transactionIndex: integer(),
    closedAt: instant(),
    /** Why an ineffective action changed nothing. */
    detail: text(),
    createdAt: createdAt(),
  },
  (t) => [
    // One open action a project at a time: the second request is a 409, also under a race.
    uniqueIndex('actions_one_open').on(t.projectId).where(sql`${t.status} = 'submitted'`),
    index('actions_feed').on(t.account, t.ledgerIndex, t.transactionIndex),
  ],
);

/** A version of a project's allowlist. A draft takes entries; once committed it never changes, and its hash is anchored by an action. */
export const lists = pgTable(
  'lists',
  {
    id: id(),
    projectId: text()
      .notNull()
      .references(() => projects.id),
    /** Counts a project's versions from 1. */
    version: integer().notNull(),
    status: text({ enum: ['draft', 'committed'] })
      .notNull()
      .default('draft'),
    entries: integer().notNull().default(0),
    /** SHA-256 of the published lines; null while it is a draft. */
    hash: text(),
    committedAt: instant(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('lists_version').on(t.projectId, t.version),
    uniqueIndex('lists_hash').on(t.projectId, t.hash),
    check('lists_committed_whole', sql`(${t.status} = 'committed') = (${t.hash} is not null)`),
    check('lists_size', sql`${t.entries} between 0 and 100000`),
  ],
);

export const listEntries = pgTable(
  'list_entries',
  {
    listId: text()
      .notNull()
      .references(() => lists.id, { onDelete: 'cascade' }),
    walletAddress: text().notNull(),
    /** What the wallet may invest in the tiers that ask for the list; null is no limit of its own. */
    capDrops: amount(),
  },
  (t) => [
    primaryKey({ columns: [t.listId, t.walletAddress] }),
    check('list_entries_cap', sql`${t.capDrops} is null or ${t.capDrops} > 0`),
  ],
);

/**
 * Every other transaction that changed a deposit account's XRP: its own (refunds, actions, tickets, fees) and what took from
 * it. With `payments` they explain the whole balance.
 */
export const accountChanges = pgTable(
  'account_changes',
  {
    txHash: text().notNull(),
    account: text()
      .notNull()
      .references(() => depositAccounts.address),
    ledgerIndex: wholeNumber().notNull(),
    transactionIndex: integer().notNull(),
    closedAt: instant().notNull(),
    transactionType: text().notNull(),
    /** What it did to the balance, its fee included: negative for what went out. */
    changeDrops: amount().notNull(),
    /** The fee, when the account paid it; else 0. */
    feeDrops: amount().notNull(),
    /** It is one of the platform's own transactions (an action, a payout, tickets). */
    ours: boolean().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.txHash] }),
    index('account_changes_foreign').on(t.account, t.ledgerIndex).where(sql`not ${t.ours}`),
  ],
);
