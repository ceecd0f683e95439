import { operation, resource } from '#lib/api/route.ts';
import { getDeliveryStatisticsContract } from '#lib/webhooks/log/contracts.ts';
import { getDeliveryStatistics } from '#lib/webhooks/log/delivery-statistics.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(getDeliveryStatisticsContract, (ctx, { params, query }) =>
    getDeliveryStatistics(ctx, params.webhook_id, query.period),
  ),
);
