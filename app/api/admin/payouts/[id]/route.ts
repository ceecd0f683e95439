import { operation, resource } from '#lib/api/route.ts';
import { getPayoutContract } from '#lib/payouts/operate/contracts.ts';
import { getPayout } from '#lib/payouts/operate/read-payouts.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(getPayoutContract, (ctx, { params }) => getPayout(ctx.db, params.id)),
);
