import { operation, resource } from '#lib/http/route.ts';
import { thenWake } from '#lib/jobs/heartbeat.ts';
import { lazyLedger } from '#lib/ledger/lazy.ts';
import { commitList } from '#lib/sale/lists/commit-list.ts';
import { commitListContract } from '#lib/sale/lists/contracts.ts';

/** Hashing 100,000 wallets takes seconds, and a busy deposit account is waited for up to half a minute. */
export const maxDuration = 60;

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(
    commitListContract,
    (ctx, { params, body }) =>
      thenWake(ctx, commitList(ctx, { projectId: params.id, listId: params.list_id, reason: body.reason })),
    { ledger: lazyLedger },
  ),
);
