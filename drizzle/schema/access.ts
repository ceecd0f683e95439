import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { createdAt, id, instant } from './columns.ts';

/** Who owns webhooks and sales: one API key's circle, or a proven wallet. */
export const tenants = pgTable('tenants', {
  id: id(),
  /** Set when the tenant belongs to a wallet that proved itself. */
  provenWallet: text().unique(),
  createdAt: createdAt(),
});

export const apiKeys = pgTable(
  'api_keys',
  {
    id: id(),
    tenantId: text()
      .notNull()
      .references(() => tenants.id),
    /** SHA-256 of the whole key, hex. The key itself is never stored. */
    keyHash: text().notNull().unique(),
    /** The first characters, enough to recognise a key and too few to guess it. */
    prefix: text().notNull(),
    name: text(),
    walletAddress: text().notNull(),
    walletVerified: boolean().notNull().default(false),
    scopes: text().array().notNull(),
    expiresAt: instant(),
    lastUsedAt: instant(),
    revokedAt: instant(),
    createdAt: createdAt(),
  },
  (t) => [index('api_keys_wallet').on(t.walletAddress), index('api_keys_tenant').on(t.tenantId)],
);

/** What a wallet is asked to sign, once and within minutes. The row goes when it is used. */
export const walletChallenges = pgTable(
  'wallet_challenges',
  {
    id: id(),
    walletAddress: text().notNull(),
    /** What the signature is good for. */
    action: text().notNull(),
    /** The text to sign, whole: it names domain, network, action, wallet and a nonce. */
    message: text().notNull(),
    expiresAt: instant().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    index('wallet_challenges_wallet').on(t.walletAddress, t.expiresAt),
    index('wallet_challenges_expiry').on(t.expiresAt),
  ],
);

/** Answers kept for who sends the same request again with the same `Idempotency-Key`. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    /** The credential it belongs to: nobody replays another's answer. */
    scope: text().notNull(),
    key: text().notNull(),
    /** SHA-256, hex, of method, path and body. */
    requestHash: text().notNull(),
    /** The request that works on it. */
    requestId: text().notNull(),
    /** While no answer is kept: whoever holds it has died after this time (database clock). */
    lockedUntil: instant().notNull(),
    responseStatus: integer(),
    /** The answer, sealed: it may hold a secret that is shown once. */
    sealedResponse: text(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.scope, t.key] }),
    index('idempotency_keys_age').on(t.createdAt),
    check('idempotency_keys_answered', sql`(${t.responseStatus} is null) = (${t.sealedResponse} is null)`),
  ],
);

/** What administrators did, by whom and why. Written in the transaction of the change itself. */
export const auditEntries = pgTable(
  'audit_entries',
  {
    id: id(),
    actor: text().notNull(),
    action: text().notNull(),
    subject: text().notNull(),
    reason: text().notNull(),
    before: jsonb(),
    after: jsonb(),
    requestId: text().notNull(),
    /** Whose members may read it; null when it concerns the administrators alone. */
    tenantId: text(),
    createdAt: createdAt(),
  },
  (t) => [
    index('audit_entries_in_order').on(t.createdAt, t.id),
    index('audit_entries_tenant').on(t.tenantId, t.createdAt, t.id).where(sql`${t.tenantId} is not null`),
    // What was settled by hand last is asked for before each payment.
    index('audit_entries_settled').on(t.createdAt).where(sql`${t.action} = 'payout.settle'`),
  ],
);
