import { operation, resource } from '#lib/api/route.ts';
import { cancelReplayContract } from '#lib/webhooks/replay/contracts.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(cancelReplayContract, (ctx, { params }) =>
    import('#lib/webhooks/replay/replays.ts').then(({ cancelReplay }) =>
      cancelReplay(ctx, params.webhook_id, params.replay_id),
    ),
  ),
);
