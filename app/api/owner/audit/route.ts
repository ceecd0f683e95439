import { operation, resource } from '#lib/api/route.ts';
import { listOwnAuditContract } from '#lib/ops/status/audit/contracts.ts';
import { listOwnAudit } from '#lib/ops/status/audit/list-own-audit.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(listOwnAuditContract, (ctx, { query }) => listOwnAudit(ctx, query)),
);
