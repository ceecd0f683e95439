import { listSnapshotsContract } from '#lib/accounts/holders/contracts.ts';
import { listSnapshots } from '#lib/accounts/holders/get-stats.ts';
import { operation, resource } from '#lib/api/route.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(listSnapshotsContract, (ctx, { query }) => listSnapshots(ctx, query)),
);
