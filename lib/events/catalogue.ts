import type { z } from 'zod';
import { systemAlert } from './data/alert.ts';
import * as investment from './data/investment.ts';
import { systemNetworkStatus } from './data/network-status.ts';
import * as project from './data/project.ts';
import * as system from './data/system.ts';

/** Every event type and its data. The closed list (docs/webhooks.md#events). */
export const EVENT_CATALOGUE = {
  'investment.created': investment.investmentCreated,
  'investment.confirmed': investment.investmentConfirmed,
  'investment.failed': investment.investmentFailed,
  'investment.tokens_distributed': investment.investmentTokensDistributed,
  'investment.refunded': investment.investmentRefunded,
  'project.launched': project.projectLaunched,
  'project.tier_completed': project.projectTierCompleted,
  'project.milestone_reached': project.projectMilestoneReached,
  'project.sale_ended': project.projectSaleEnded,
  'project.cancelled': project.projectCancelled,
  'system.maintenance_start': system.systemMaintenanceStart,
  'system.maintenance_end': system.systemMaintenanceEnd,
  'system.network_status': systemNetworkStatus,
  'system.webhook_disabled': system.systemWebhookDisabled,
  'system.alert': systemAlert,
} as const;

export type EventType = keyof typeof EVENT_CATALOGUE;
export const EVENT_TYPES = Object.keys(EVENT_CATALOGUE) as [EventType, ...EventType[]];

/** Of no concern to developers: only administrators' webhooks receive them. */
export const ADMINISTRATOR_EVENT_TYPES: readonly EventType[] = ['system.alert'];
export const PUBLIC_EVENT_TYPES: readonly EventType[] = EVENT_TYPES.filter(
  (type) => !ADMINISTRATOR_EVENT_TYPES.includes(type),
);

/** Of no concern to anybody but the tenant of the webhook that `data.webhook_id` names. */
export const TENANT_EVENT_TYPES: readonly EventType[] = ['system.webhook_disabled'];

export type EventData = { [T in EventType]: z.output<(typeof EVENT_CATALOGUE)[T]> };
