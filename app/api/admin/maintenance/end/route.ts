import { operation, resource } from '#lib/api/route.ts';
import { endMaintenanceContract } from '#lib/ops/status/maintenance/contracts.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(endMaintenanceContract, (ctx, { body }) =>
    import('#lib/jobs/announce-maintenance.ts').then(({ announceEnd }) => announceEnd(ctx, body)),
  ),
);
