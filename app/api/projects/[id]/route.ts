import { operation, resource } from '#lib/http/route.ts';
import { getProjectContract } from '#lib/sale/contracts.ts';
import { getProject } from '#lib/sale/projects/get-project.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(getProjectContract, (ctx, { params }) => getProject(ctx, params.id)),
);
