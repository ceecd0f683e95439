import { boolean, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, id, instant } from './columns.ts';

/** Who owns webhooks: one API key's circle, or a proven wallet. */
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
    createdAt: createdAt(),
  },
  (t) => [index('audit_entries_time').on(t.createdAt)],
);
