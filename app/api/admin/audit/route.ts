import { operation, resource } from '#lib/api/route.ts';
import { listAuditContract } from '#lib/ops/status/audit/contracts.ts';
import { listAudit } from '#lib/ops/status/audit/list-audit.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(listAuditContract, (ctx, { query }) => listAudit(ctx, query)),
);
