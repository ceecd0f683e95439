import { Reply } from '#lib/api/answer.ts';
import { operation, resource } from '#lib/api/route.ts';
import { listReplaysContract, startReplayContract } from '#lib/webhooks/replay/contracts.ts';
import { countReplay, listReplays, startReplay } from '#lib/webhooks/replay/replays.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(listReplaysContract, (ctx, { params, query }) => listReplays(ctx, params.webhook_id, query)),
  operation(startReplayContract, async (ctx, { params, body }) =>
    body.dry_run
      ? countReplay(ctx, params.webhook_id, body)
      : new Reply(202, await startReplay(ctx, params.webhook_id, body)),
  ),
);
