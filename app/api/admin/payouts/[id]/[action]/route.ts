import { operation, resource } from '#lib/api/route.ts';
import { thenWake } from '#lib/jobs/heartbeat.ts';
import { actOnPayoutContract } from '#lib/payouts/operate/contracts.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(
    actOnPayoutContract,
    (ctx, { params, body }) =>
      thenWake(
        ctx,
        import('#lib/payouts/operate/act-on-payout.ts').then(({ actOnPayout }) =>
          actOnPayout(ctx, { ...params, ...body }),
        ),
      ),
    {
      ledger: lazyLedger,
    },
  ),
);
