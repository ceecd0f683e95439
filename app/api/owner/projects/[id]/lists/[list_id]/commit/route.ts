import { operation, resource } from '#lib/api/route.ts';
import { thenWake } from '#lib/jobs/heartbeat.ts';
import { commitOwnListContract } from '#lib/sales/lists/contracts.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';

/** Hashing 100,000 wallets takes seconds, and a busy deposit account is waited for up to half a minute. */
export const maxDuration = 60;

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(
    commitOwnListContract,
    (ctx, { params, body }) =>
      thenWake(
        ctx,
        import('#lib/sales/lists/commit-list.ts').then(({ commitList }) =>
          commitList(ctx, { projectId: params.id, listId: params.list_id, reason: body.reason }),
        ),
      ),
    { ledger: lazyLedger },
  ),
);
