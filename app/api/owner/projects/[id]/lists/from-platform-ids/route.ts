import { createOwnListFromPlatformIdsContract } from '#lib/accounts/platform-ids/contracts.ts';
import { Reply } from '#lib/api/answer.ts';
import { operation, resource } from '#lib/api/route.ts';

export const maxDuration = 60;

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(createOwnListFromPlatformIdsContract, async (ctx, { params, body }) => {
    const made = await import('#lib/accounts/platform-ids/make-list.ts').then(({ createListFromPlatformIds }) =>
      createListFromPlatformIds(ctx, { projectId: params.id, ...body }),
    );
    return new Reply(made.dry_run ? 200 : 201, made);
  }),
);
