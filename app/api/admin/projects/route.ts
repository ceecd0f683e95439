import { operation, resource } from '#lib/http/route.ts';
import { lazyLedger } from '#lib/ledger/lazy.ts';
import { adminListProjectsContract, createProjectContract } from '#lib/sale/contracts.ts';
import { createProject } from '#lib/sale/projects/create-project.ts';
import { listProjects } from '#lib/sale/projects/list-projects.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(adminListProjectsContract, (ctx, { query }) => listProjects(ctx, { ...query, withDrafts: true }), {
    ledger: lazyLedger,
  }),
  operation(createProjectContract, (ctx, { body }) => createProject(ctx, body), { ledger: lazyLedger }),
);
