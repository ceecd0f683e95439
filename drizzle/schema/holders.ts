import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  pgView,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { id, instant, wholeNumber } from './columns.ts';

/**
 * One row a synchronisation of one token's holders, at one validated ledger. A finished one is the token's snapshot
 * until the next is whole; older ones keep their statistics as history.
 */
export const holderSyncs = pgTable(
  'holder_syncs',
  {
    id: id(),
    /** `<currency>.<issuer>` or the MPT issuance id. */
    token: text().notNull(),
    status: text({ enum: ['running', 'complete', 'abandoned'] })
      .notNull()
      .default('running'),
    ledgerIndex: wholeNumber().notNull(),
    ledgerHash: text().notNull(),
    ledgerClosedAt: instant().notNull(),
    /** Which server the marker belongs to: another one starts anew. */
    server: text().notNull(),
    /** An MPT's decimals; the ledger gives its amounts in the smallest unit. */
    assetScale: integer().notNull().default(0),
    /** Where the next page begins; null before the first page and after the last. */
    marker: jsonb(),
    pages: integer().notNull().default(0),
    /** Without the excluded accounts, as far as it has been read. */
    holders: integer().notNull().default(0),
    /** Against the snapshot before; null for a token's first one. */
    added: integer(),
    removed: integer(),
    /** Supply, shares, median and so on, computed once when the snapshot became whole. */
    statistics: jsonb(),
    startedAt: instant().notNull(),
    completedAt: instant(),
    /** Its balances have been removed: it was abandoned, or superseded. */
    pruned: boolean().notNull().default(false),
  },
  (t) => [
    uniqueIndex('holder_syncs_one_running').on(t.token).where(sql`${t.status} = 'running'`),
    index('holder_syncs_latest').on(t.token, t.completedAt).where(sql`${t.status} = 'complete'`),
    index('holder_syncs_unpruned').on(t.token).where(sql`not ${t.pruned}`),
  ],
);

/**
 * Pages as they were read, one or a few a row: holders that are being gathered cost no row and no index entry each. They go once
 * their synchronisation runs no more. Without a foreign key, like the two tables below: rows are written only by a statement
 * that moves their synchronisation on, which holds its row.
 */
export const holderPages = pgTable(
  'holder_pages',
  {
    syncId: text().notNull(),
    /** The last one's number. */
    page: integer().notNull(),
    accounts: text().array().notNull(),
    /** In tokens, above zero: exact, also where the ledger's value has more than six decimals. */
    balances: numeric().array().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.syncId, t.page] }),
    // A server that goes in circles gives a page again.
    uniqueIndex('holder_pages_once').on(t.syncId, sql`(${t.accounts}[1])`),
    check('holder_pages_paired', sql`cardinality(${t.accounts}) = cardinality(${t.balances})`),
  ],
);

/**
 * The holders of a snapshot, the largest first and among equals by account, descending; some hundreds a row, in arrays of
 * one length. The row at place 0 has the excluded accounts: supply that is not in circulation, no holders.
 */
export const holdersByRank = pgTable(
  'holders_by_rank',
  {
    syncId: text().notNull(),
    /** Of the row's first holder; 1 is the first of all. Ranks skip, places do not. */
    firstPosition: integer().notNull(),
    accounts: text().array().notNull(),
    balances: numeric().array().notNull(),
    /** The last of the balances. */
    minBalance: numeric().notNull(),
    balanceSum: numeric().notNull(),
    /** Σ place × balance, from which the Gini coefficient follows. */
    positionBalanceSum: numeric().notNull(),
  },
  (t) => [primaryKey({ columns: [t.syncId, t.firstPosition] })],
);

/** The same holders, and the excluded accounts among them, by the last characters of the account. */
export const holdersByAccount = pgTable(
  'holders_by_account',
  {
    syncId: text().notNull(),
    /** One to three characters: the more holders, the more. */
    ending: text().notNull(),
    accounts: text().array().notNull(),
    balances: numeric().array().notNull(),
  },
  (t) => [primaryKey({ columns: [t.syncId, t.ending] })],
);

/** Each account of each snapshot that is kept: for whoever reads a snapshot whole. */
export const holderBalances = pgView('holder_balances', {
  syncId: text().notNull(),
  account: text().notNull(),
  balance: numeric().notNull(),
  excluded: boolean().notNull(),
}).as(
  sql`select r.sync_id, h.account, h.balance, r.first_position = 0 as excluded from holders_by_rank as r, unnest(r.accounts, r.balances) as h(account, balance)`,
);

/** One Platform ID a wallet, for good. */
export const platformIds = pgTable('platform_ids', {
  /** `PID-XXXX-XXXX`. */
  id: id(),
  walletAddress: text().notNull().unique(),
  /** Set only by a proof of the wallet. */
  displayName: text(),
  displayNameProvenAt: instant(),
  createdAt: instant().notNull(),
});
