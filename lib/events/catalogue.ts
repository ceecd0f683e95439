import type { z } from 'zod';
import {
  investmentConfirmed,
  investmentCreated,
  investmentFailed,
  investmentRefunded,
  investmentTokensDistributed,
  projectCancelled,
  projectLaunched,
  projectMilestoneReached,
  projectSaleEnded,
  projectTierCompleted,
  systemAlert,
  systemDeliveryFailed,
  systemMaintenanceEnd,
  systemMaintenanceStart,
  systemNetworkStatus,
  systemWebhookDisabled,
} from './data.ts';

/** Every event type and its data. The closed list (docs/webhooks.md#events). */
export const EVENT_CATALOGUE = {
  'investment.created': investmentCreated,
  'investment.confirmed': investmentConfirmed,
  'investment.failed': investmentFailed,
  'investment.tokens_distributed': investmentTokensDistributed,
  'investment.refunded': investmentRefunded,
  'project.launched': projectLaunched,
  'project.tier_completed': projectTierCompleted,
  'project.milestone_reached': projectMilestoneReached,
  'project.sale_ended': projectSaleEnded,
  'project.cancelled': projectCancelled,
  'system.maintenance_start': systemMaintenanceStart,
  'system.maintenance_end': systemMaintenanceEnd,
  'system.network_status': systemNetworkStatus,
  'system.webhook_disabled': systemWebhookDisabled,
  'system.delivery_failed': systemDeliveryFailed,
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
export const TENANT_EVENT_TYPES: readonly EventType[] = ['system.webhook_disabled', 'system.delivery_failed'];

export type EventData = { [T in EventType]: z.output<(typeof EVENT_CATALOGUE)[T]> };

/** What a developer reads about an event type before subscribing to it. */
export const EVENT_DESCRIPTIONS: Record<EventType, string> = {
  'investment.created': 'A payment to a sale was recognised on the ledger; it waits for its confirmation.',
  'investment.confirmed': 'An investment is final: its tokens are allocated, tier by tier.',
  'investment.failed': 'An investment got no token. The reason is given; what can be sent back is refunded.',
  'investment.tokens_distributed': 'Tokens of an investment were paid to its investor, validated on the ledger.',
  'investment.refunded': 'XRP of an investment was sent back to its investor, validated on the ledger.',
  'project.launched': 'A sale was launched: its terms are anchored on the ledger.',
  'project.tier_completed': 'A price tier is sold out; the next one is named, or null after the last.',
  'project.milestone_reached': 'A sale reached a quarter, half or three quarters of its full size, or its soft cap.',
  'project.sale_ended': 'A sale is over: sold out, ended by its owner or its date, or short of its soft cap.',
  'project.cancelled': 'A sale was cancelled; investments whose tokens were not distributed are refunded.',
  'system.maintenance_start': 'Maintenance has started; events may be late until it ends.',
  'system.maintenance_end': 'Maintenance has ended; waiting events are sent.',
  'system.network_status':
    'The health of a part of the platform changed. Waiting work continues once it is operational.',
  'system.webhook_disabled':
    'One of your webhooks was deactivated: its receiver answered 410, or every attempt failed for five days.',
  'system.delivery_failed': 'No attempt of a delivery to one of your other webhooks is left: its event did not arrive.',
  'system.alert': 'An operator of the platform must look into something.',
};
