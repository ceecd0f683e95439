import { listSnapshotsContract } from '#lib/holders/contracts.ts';
import { listSnapshots } from '#lib/holders/list-snapshots.ts';
import { operation, resource } from '#lib/http/route.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(listSnapshotsContract, (ctx, { query }) => listSnapshots(ctx, query)),
);
