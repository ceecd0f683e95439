import { sql } from 'drizzle-orm';
import { check, index, pgTable, text } from 'drizzle-orm/pg-core';
import { apiKeys } from './access.ts';
import { createdAt, id, instant } from './columns.ts';

/** A link to the portal, and the session that opening it began. */
export const portalLinks = pgTable(
  'portal_links',
  {
    id: id(),
    /** The key that made it: it ends with the key, and is never wider. */
    keyId: text()
      .notNull()
      .references(() => apiKeys.id, { onDelete: 'cascade' }),
    /** SHA-256, hex, of the token in the link. */
    linkHash: text().notNull().unique(),
    /** SHA-256, hex, of the session's token; null until the link is opened, which it is once. */
    sessionHash: text().unique(),
    scopes: text().array().notNull(),
    /** Only webhooks of this project; null: all of the tenant. */
    projectId: text(),
    /** Origins whose pages may show the portal in a frame. */
    frameOrigins: text().array().notNull(),
    opensUntil: instant().notNull(),
    expiresAt: instant().notNull(),
    openedAt: instant(),
    /** When somebody with a key ended it. */
    endedAt: instant(),
    createdAt: createdAt(),
  },
  (t) => [
    index('portal_links_key').on(t.keyId),
    index('portal_links_expiry').on(t.expiresAt),
    check('portal_links_opened', sql`(${t.openedAt} is null) = (${t.sessionHash} is null)`),
    check('portal_links_times', sql`${t.opensUntil} <= ${t.expiresAt}`),
  ],
);

/** What a session of the portal did to webhooks. Written in the transaction of the change itself; goes with its link. */
export const portalAuditEntries = pgTable(
  'portal_audit_entries',
  {
    id: id(),
    linkId: text()
      .notNull()
      .references(() => portalLinks.id, { onDelete: 'cascade' }),
    action: text().notNull(),
    webhookId: text().notNull(),
    requestId: text().notNull(),
    createdAt: createdAt(),
  },
  (t) => [index('portal_audit_entries_link').on(t.linkId, t.createdAt, t.id)],
);
