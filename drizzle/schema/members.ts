import { sql } from 'drizzle-orm';
import { check, index, pgTable, text, unique } from 'drizzle-orm/pg-core';
import { tenants } from './access.ts';
import { createdAt, id, instant } from './columns.ts';

/** Who may act for a tenant, known by a wallet. The row goes when the membership ends, and every session with it. */
export const members = pgTable(
  'members',
  {
    id: id(),
    tenantId: text()
      .notNull()
      .references(() => tenants.id),
    walletAddress: text().notNull(),
    role: text({ enum: ['viewer', 'editor', 'owner'] }).notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    unique('members_once').on(t.tenantId, t.walletAddress),
    index('members_wallet').on(t.walletAddress),
    check('members_role', sql`${t.role} in ('viewer', 'editor', 'owner')`),
  ],
);

/** A member who signed in by a wallet proof. */
export const memberSessions = pgTable(
  'member_sessions',
  {
    id: id(),
    memberId: text()
      .notNull()
      .references(() => members.id, { onDelete: 'cascade' }),
    /** SHA-256, hex, of the session's token. */
    tokenHash: text().notNull().unique(),
    expiresAt: instant().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    index('member_sessions_member').on(t.memberId, t.createdAt, t.id),
    index('member_sessions_expiry').on(t.expiresAt),
  ],
);

/** A wallet that may become a member. The row goes when it is accepted or withdrawn. */
export const memberInvitations = pgTable(
  'member_invitations',
  {
    id: id(),
    tenantId: text()
      .notNull()
      .references(() => tenants.id),
    walletAddress: text().notNull(),
    role: text({ enum: ['viewer', 'editor', 'owner'] }).notNull(),
    /** The wallet of the owner who invited. */
    invitedBy: text().notNull(),
    expiresAt: instant().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    unique('member_invitations_once').on(t.tenantId, t.walletAddress),
    index('member_invitations_wallet').on(t.walletAddress),
    index('member_invitations_expiry').on(t.expiresAt),
    check('member_invitations_role', sql`${t.role} in ('viewer', 'editor', 'owner')`),
  ],
);
