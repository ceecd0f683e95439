import { operation, resource } from '#lib/api/route.ts';
import { cancelReplayContract } from '#lib/webhooks/replay/contracts.ts';
import { cancelReplay } from '#lib/webhooks/replay/replays.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(cancelReplayContract, (ctx, { params }) => cancelReplay(ctx, params.webhook_id, params.replay_id)),
);
