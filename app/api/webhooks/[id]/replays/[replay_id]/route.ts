import { operation, resource } from '#lib/api/route.ts';
import { getReplayContract } from '#lib/webhooks/replay/contracts.ts';
import { getReplay } from '#lib/webhooks/replay/replays.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(getReplayContract, (ctx, { params }) => getReplay(ctx, params.webhook_id, params.replay_id)),
);
