import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { amount, createdAt, id, instant, wholeNumber } from './columns.ts';
import { investments, payments, projects } from './sale.ts';

/**
 * Something owed on the ledger: a part of a distribution, a refund, raised XRP released to the treasury, a lock: tokens that
 * the account puts in escrow to itself, or an unlock: the end of such an escrow.
 */
export const payouts = pgTable(
  'payouts',
  {
    id: id(),
    kind: text({ enum: ['distribution', 'refund', 'release', 'lock', 'unlock'] }).notNull(),
    projectId: text().references(() => projects.id),
    investmentId: text().references(() => investments.id),
    /** The payment that this pays out or back; null for a release, which pays the treasury, a lock and an unlock. */
    paymentHash: text().references(() => payments.txHash),
    /**
     * Part of a distribution, from 1. A refund is part 1; part 2 is the refund of a cancelled sale. A lock of unsold tokens is part 1;
     * locks of what vesting owes are parts 2 and up, and each has an unlock of the same part.
     */
    part: integer().notNull().default(1),
    /** The account that pays: the distributor, or the deposit account. */
    account: text().notNull(),
    destination: text().notNull(),
    destinationTag: wholeNumber(),
    /** Token units for a distribution, lock or unlock, drops for a refund or release. */
    amount: amount().notNull(),
    /** For a lock and its unlock alone: the escrow cannot be finished before this time, in whole seconds. */
    lockedUntil: instant(),
    status: text({
      enum: ['scheduled', 'waiting_holder', 'ready', 'submitted', 'validated', 'held', 'cancelled'],
    })
      .notNull()
      .default('scheduled'),
    /** Why it waits or is held. */
    reason: text(),
    dueAt: instant().notNull(),
    /** Not looked at again before this time. */
    nextCheckAt: instant().notNull().defaultNow(),
    txHash: text(),
    ledgerIndex: wholeNumber(),
    validatedAt: instant(),
    /**
     * Of a lock that an operator has settled: the sequence or ticket by which its escrow is named, and the time before which nobody can
     * finish it. One that the platform has made is named by the ticket of its attempt.
     */
    escrowSequence: wholeNumber(),
    escrowFinishAfter: instant(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('payouts_once').on(t.kind, t.paymentHash, t.part),
    index('payouts_due')
      .on(t.account, t.dueAt, t.nextCheckAt)
      .where(sql`${t.status} in ('scheduled', 'waiting_holder', 'ready')`),
    index('payouts_investment').on(t.investmentId),
    // The list of payouts in its order: those that are not finished, and all.
    index('payouts_unfinished').on(t.dueAt, t.id).where(sql`${t.status} not in ('validated', 'cancelled')`),
    index('payouts_in_order').on(t.dueAt, t.id),
    // How many are in each state, and the oldest of them.
    index('payouts_states').on(t.status, t.dueAt).where(sql`${t.status} not in ('validated', 'cancelled')`),
    // What a verifier reads page by page.
    index('payouts_published').on(t.projectId, t.ledgerIndex, t.txHash).where(sql`${t.status} = 'validated'`),
    // No transaction pays two payouts.
    uniqueIndex('payouts_paid_once').on(t.txHash).where(sql`${t.status} = 'validated'`),
    index('payouts_release').on(t.projectId).where(sql`${t.kind} = 'release'`),
    // Without a payment `payouts_once` never compares: a sale has each part of its locks and unlocks once.
    uniqueIndex('payouts_one_lock').on(t.projectId, t.part).where(sql`${t.kind} = 'lock'`),
    uniqueIndex('payouts_one_unlock').on(t.projectId, t.part).where(sql`${t.kind} = 'unlock'`),
    check('payouts_of_a_payment', sql`(${t.kind} in ('release', 'lock', 'unlock')) = (${t.paymentHash} is null)`),
    check(
      'payouts_locked',
      sql`case when ${t.kind} in ('lock', 'unlock') then ${t.lockedUntil} is not null and ${t.projectId} is not null and ${t.destination} = ${t.account} and ${t.destinationTag} is null else ${t.lockedUntil} is null end`,
    ),
    check(
      'payouts_escrow',
      sql`case when ${t.escrowSequence} is null then ${t.escrowFinishAfter} is null else ${t.kind} = 'lock' and ${t.status} = 'validated' and ${t.escrowSequence} > 0 and ${t.escrowFinishAfter} is not null and ${t.escrowFinishAfter} >= ${t.lockedUntil} end`,
    ),
    check('payouts_positive', sql`${t.amount} > 0`),
  ],
);
export type PayoutRow = typeof payouts.$inferSelect;

/** One signed transaction for a payout. Persisted before it is submitted. */
export const payoutAttempts = pgTable(
  'payout_attempts',
  {
    txHash: text().primaryKey(),
    payoutId: text()
      .notNull()
      .references(() => payouts.id),
    attempt: integer().notNull(),
    account: text().notNull(),
    /** Whom it pays, and how much XRP: 0 of a payout in tokens. Both are null in attempts signed before they were stored. */
    destination: text(),
    drops: amount(),
    txBlob: text().notNull(),
    ticket: wholeNumber().notNull(),
    feeDrops: amount().notNull(),
    /** Validated ledger when it was signed: it cannot be in an earlier one. */
    firstLedger: wholeNumber().notNull(),
    lastLedgerSequence: wholeNumber().notNull(),
    status: text({ enum: ['open', 'validated', 'failed', 'expired'] })
      .notNull()
      .default('open'),
    engineResult: text(),
    /** Validated ledger when a server last answered its submission; null when none did. */
    submittedLedger: wholeNumber(),
    ledgerIndex: wholeNumber(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('payout_attempts_number').on(t.payoutId, t.attempt),
    // A payout has at most one attempt that could still succeed.
    uniqueIndex('payout_attempts_one_open').on(t.payoutId).where(sql`${t.status} = 'open'`),
    // Two attempts that could both still succeed never share a ticket. An expired one gives its ticket back.
    uniqueIndex('payout_attempts_ticket').on(t.account, t.ticket).where(sql`${t.status} <> 'expired'`),
    // What an account paid within the hour is asked before each slice.
    index('payout_attempts_hour').on(t.account, t.createdAt).where(sql`${t.status} in ('open', 'validated')`),
    // How many came to nothing, by the hour or day.
    index('payout_attempts_unsuccessful').on(t.createdAt).where(sql`${t.status} in ('failed', 'expired')`),
    index('payout_attempts_open').on(t.account, t.lastLedgerSequence).where(sql`${t.status} = 'open'`),
    check('payout_attempts_drops', sql`(${t.destination} is null) = (${t.drops} is null) and ${t.drops} >= 0`),
  ],
);

/** How many attempts there were so far, counted in the transactions that sign and end them: metrics read no attempt. */
export const payoutCounts = pgTable(
  'payout_counts',
  {
    /** Who pays: payouts of two accounts never wait for each other's count. */
    account: text().notNull(),
    kind: text({ enum: ['distribution', 'refund', 'release', 'lock', 'unlock'] }).notNull(),
    outcome: text({ enum: ['signed', 'validated', 'failed', 'expired'] }).notNull(),
    /** Why it failed or expired, as the ledger or the platform names it; empty without a reason. */
    reason: text().notNull().default(''),
    count: wholeNumber().notNull(),
  },
  (t) => [primaryKey({ columns: [t.account, t.kind, t.outcome, t.reason] })],
);

/** TicketCreate transactions of a paying account; the tickets themselves are read from the ledger. */
export const ticketRequests = pgTable(
  'ticket_requests',
  {
    txHash: text().primaryKey(),
    account: text().notNull(),
    txBlob: text().notNull(),
    count: integer().notNull(),
    sequence: wholeNumber().notNull(),
    firstLedger: wholeNumber().notNull(),
    lastLedgerSequence: wholeNumber().notNull(),
    /** Validated ledger when a server last answered its submission; null when none did. */
    submittedLedger: wholeNumber(),
    status: text({ enum: ['open', 'validated', 'failed', 'expired'] })
      .notNull()
      .default('open'),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex('ticket_requests_one_open').on(t.account, t.sequence).where(sql`${t.status} = 'open'`)],
);

/**
 * What the tickets of an account under custody are for, as the memo of their TicketCreate says (docs/custody.md): nothing
 * else can be paid with one. A row counts once its TicketCreate is validated.
 */
export const ticketAssignments = pgTable(
  'ticket_assignments',
  {
    account: text().notNull(),
    ticket: wholeNumber().notNull(),
    /** Name of the purpose as the memo has it (`purposeId`). */
    purpose: text().notNull(),
    /** Null for an `assign` action. */
    payoutId: text().references(() => payouts.id),
    /** The TicketCreate. */
    requestHash: text()
      .notNull()
      .references(() => ticketRequests.txHash),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.ticket, t.requestHash] }),
    index('ticket_assignments_payout').on(t.payoutId),
    index('ticket_assignments_purpose').on(t.account, t.purpose),
  ],
);

/** How far a distributor's history has been searched for transactions that were signed elsewhere. */
export const distributorCursors = pgTable('distributor_cursors', {
  address: text().primaryKey(),
  /** Last ledger read whole, and its hash; null until a first one was read. */
  cursorLedger: wholeNumber().notNull(),
  cursorHash: text(),
  createdAt: createdAt(),
});

/** A transaction of a distributor that may have moved something and that the platform did not sign. */
export const unknownTransfers = pgTable(
  'unknown_transfers',
  {
    txHash: text().notNull(),
    account: text().notNull(),
    ledgerIndex: wholeNumber().notNull(),
    closedAt: instant().notNull(),
    transactionType: text().notNull(),
    /** Null for what is not a Payment. */
    destination: text(),
    destinationTag: wholeNumber(),
    /** What a Payment delivered, as a person reads it: amount and asset. */
    delivered: text(),
    /** The unpaid payout whose amount it has paid to the right account: an operator may settle that payout with it. */
    payoutId: text().references(() => payouts.id),
    /** It has settled that payout, or a person has accounted for it. */
    explained: boolean().notNull().default(false),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.txHash] }),
    // One payment by hand settles one payout: a second like it settles nothing.
    uniqueIndex('unknown_transfers_payout').on(t.payoutId),
    index('unknown_transfers_open').on(t.account, t.ledgerIndex).where(sql`not ${t.explained}`),
  ],
);
