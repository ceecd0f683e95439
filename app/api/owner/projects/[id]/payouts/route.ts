import { operation, resource } from '#lib/api/route.ts';
import { listOwnPayoutsContract } from '#lib/payouts/operate/contracts.ts';
import { listPayouts } from '#lib/payouts/operate/read-payouts.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(listOwnPayoutsContract, (ctx, { params, query }) => listPayouts(ctx, { ...query, project_id: params.id })),
);
