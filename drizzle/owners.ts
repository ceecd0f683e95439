import type { AnyPgTable } from 'drizzle-orm/pg-core';
import type * as schema from './schema/index.ts';

/** The names under which the schema exports its tables. */
export type TableName = {
  [Name in keyof typeof schema]: (typeof schema)[Name] extends AnyPgTable ? Name : never;
}[keyof typeof schema];

/**
 * The one room of lib that writes each table. Others read it, and have it changed by a verb of that room, in their own
 * transaction where both must happen or neither.
 */
export const OWNERS: Readonly<Record<TableName, string>> = {
  leases: 'lib/base',
  jobRuns: 'lib/base',
  jobSchedules: 'lib/base',
  idempotencyKeys: 'lib/base',
  auditEntries: 'lib/audit.ts',
  events: 'lib/events',

  depositAccounts: 'lib/sales',
  projects: 'lib/sales',
  tiers: 'lib/sales',
  payments: 'lib/sales',
  investments: 'lib/sales',
  allocations: 'lib/sales',
  actions: 'lib/sales',
  lists: 'lib/sales',
  listEntries: 'lib/sales',
  credentialReadings: 'lib/sales',
  accountChanges: 'lib/sales',
  verifications: 'lib/sales',
  approvals: 'lib/sales',

  payouts: 'lib/payouts',
  payoutAttempts: 'lib/payouts',
  payoutCounts: 'lib/payouts',
  ticketRequests: 'lib/payouts',
  ticketAssignments: 'lib/payouts',
  distributorCursors: 'lib/payouts',
  unknownTransfers: 'lib/payouts',

  webhooks: 'lib/webhooks',
  replays: 'lib/webhooks',
  deliveries: 'lib/webhooks',
  deliveryAttempts: 'lib/webhooks',
  portalLinks: 'lib/webhooks',
  portalAuditEntries: 'lib/webhooks',

  tenants: 'lib/accounts/tenants',
  apiKeys: 'lib/accounts/api-keys',
  walletChallenges: 'lib/accounts/api-keys',
  members: 'lib/accounts/members',
  memberSessions: 'lib/accounts/members',
  memberInvitations: 'lib/accounts/members',
  holderSyncs: 'lib/accounts/holders',
  holderPages: 'lib/accounts/holders',
  holdersByRank: 'lib/accounts/holders',
  holdersByAccount: 'lib/accounts/holders',
  platformIds: 'lib/accounts/platform-ids',

  healthStates: 'lib/ops/status',
  deliveryMinutes: 'lib/ops/status',
  metricCounts: 'lib/ops/status',
  maintenances: 'lib/ops/status',
};
