import { operation, resource } from '#lib/api/route.ts';
import { announceStart } from '#lib/jobs/announce-maintenance.ts';
import { listMaintenancesContract, startMaintenanceContract } from '#lib/ops/status/maintenance/contracts.ts';
import { listMaintenances } from '#lib/ops/status/maintenance/maintenance.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(listMaintenancesContract, (ctx, { query }) => listMaintenances(ctx, query)),
  operation(startMaintenanceContract, (ctx, { body }) => announceStart(ctx, body)),
);
