import { operation, resource } from '#lib/api/route.ts';
import { adminListProjectsContract, createProjectContract } from '#lib/sales/projects/contracts.ts';
import { listProjects } from '#lib/sales/projects/list-projects.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(adminListProjectsContract, (ctx, { query }) => listProjects(ctx, { ...query, withDrafts: true }), {
    ledger: lazyLedger,
  }),
  operation(
    createProjectContract,
    (ctx, { body }) =>
      import('#lib/sales/projects/create-project.ts').then(({ createProject }) => createProject(ctx, body)),
    { ledger: lazyLedger },
  ),
);
