import { operation, resource } from '#lib/api/route.ts';
import { thenWake } from '#lib/jobs/heartbeat.ts';
import { moveProjectContract } from '#lib/sales/contracts.ts';
import { submitMove } from '#lib/sales/moves/submit-move.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';

export const maxDuration = 60;

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(
    moveProjectContract,
    (ctx, { params, body }) =>
      thenWake(ctx, submitMove(ctx, { projectId: params.id, move: params.move, reason: body.reason })),
    { ledger: lazyLedger },
  ),
);
