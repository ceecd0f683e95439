import { operation, resource } from '#lib/http/route.ts';
import { listAuditContract } from '#lib/system/audit/contracts.ts';
import { listAudit } from '#lib/system/audit/list-audit.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(listAuditContract, (ctx, { query }) => listAudit(ctx, query)),
);
