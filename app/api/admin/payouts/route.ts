import { operation, resource } from '#lib/api/route.ts';
import { listPayoutsContract } from '#lib/payouts/operate/contracts.ts';
import { listPayouts } from '#lib/payouts/operate/read-payouts.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(listPayoutsContract, (ctx, { query }) => listPayouts(ctx, query)),
);
