import { operation, resource } from '#lib/http/route.ts';
import { listProjectsContract } from '#lib/sale/contracts.ts';
import { listProjects } from '#lib/sale/projects/list-projects.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(listProjectsContract, (ctx, { query }) => listProjects(ctx, { ...query, withDrafts: false })),
);
