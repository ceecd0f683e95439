import { operation, resource } from '#lib/api/route.ts';
import { historyContract } from '#lib/sales/contracts.ts';
import { raisedOverTime } from '#lib/sales/projects/raised-over-time.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(historyContract, (ctx, { params }) => raisedOverTime(ctx, params.id)),
);
