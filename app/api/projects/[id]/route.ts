import { operation, resource } from '#lib/api/route.ts';
import { getProjectContract } from '#lib/sales/contracts.ts';
import { getProject } from '#lib/sales/projects/get-project.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(getProjectContract, (ctx, { params }) => getProject(ctx, params.id)),
);
