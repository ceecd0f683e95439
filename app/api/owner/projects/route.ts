import { operation, resource } from '#lib/api/route.ts';
import { createOwnProjectContract, listOwnProjectsContract } from '#lib/sales/projects/contracts.ts';
import { listProjects } from '#lib/sales/projects/list-projects.ts';
import { ownTenant } from '#lib/sales/projects/owned-project.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(listOwnProjectsContract, (ctx, { query }) =>
    listProjects(ctx, { ...query, withDrafts: true, tenantId: ownTenant(ctx) }),
  ),
  operation(
    createOwnProjectContract,
    (ctx, { body: { slug: _, ...input } }) =>
      import('#lib/sales/projects/create-project.ts').then(({ createProject }) => createProject(ctx, input)),
    {
      ledger: lazyLedger,
    },
  ),
);
