import { operation, resource } from '#lib/api/route.ts';
import { listProjectsContract } from '#lib/sales/contracts.ts';
import { listProjects } from '#lib/sales/projects/list-projects.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(listProjectsContract, (ctx, { query }) => listProjects(ctx, { ...query, withDrafts: false })),
);
