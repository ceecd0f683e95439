import { operation, resource } from '#lib/http/route.ts';
import { historyContract } from '#lib/sale/contracts.ts';
import { raisedOverTime } from '#lib/sale/projects/raised-over-time.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(historyContract, (ctx, { params }) => raisedOverTime(ctx, params.id)),
);
