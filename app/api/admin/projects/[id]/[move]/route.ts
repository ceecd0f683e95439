import { operation, resource } from '#lib/http/route.ts';
import { thenWake } from '#lib/jobs/heartbeat.ts';
import { lazyLedger } from '#lib/ledger/lazy.ts';
import { moveProjectContract } from '#lib/sale/contracts.ts';
import { submitMove } from '#lib/sale/moves/submit-move.ts';

export const maxDuration = 60;

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(
    moveProjectContract,
    (ctx, { params, body }) =>
      thenWake(ctx, submitMove(ctx, { projectId: params.id, move: params.move, reason: body.reason })),
    { ledger: lazyLedger },
  ),
);
