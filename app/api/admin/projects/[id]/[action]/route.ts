import { operation, resource } from '#lib/api/route.ts';
import { thenWake } from '#lib/jobs/heartbeat.ts';
import { actOnProjectContract } from '#lib/sales/actions/contracts.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';

export const maxDuration = 60;

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(
    actOnProjectContract,
    (ctx, { params, body }) =>
      thenWake(
        ctx,
        import('#lib/sales/actions/submit-action.ts').then(({ submitAction }) =>
          submitAction(ctx, { projectId: params.id, action: params.action, reason: body.reason }),
        ),
      ),
    { ledger: lazyLedger },
  ),
);
