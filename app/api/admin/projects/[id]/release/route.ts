import { Reply } from '#lib/api/answer.ts';
import { operation, resource } from '#lib/api/route.ts';
import { getReleaseContract, releaseContract } from '#lib/payouts/release/contracts.ts';
import { getRelease } from '#lib/payouts/release/read-release.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';

export const maxDuration = 60;

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(getReleaseContract, (ctx, { params }) => getRelease(ctx, params.id), { ledger: lazyLedger }),
  operation(
    releaseContract,
    async (ctx, { params, body }) => {
      const { amount_xrp: amountDrops, release_id: releaseId, dry_run: dryRun, reason } = body;
      const [{ releaseRaised }, { thenWake }] = await Promise.all([
        import('#lib/payouts/release/release-raised.ts'),
        import('#lib/jobs/heartbeat.ts'),
      ]);
      const released = releaseRaised(ctx, { projectId: params.id, amountDrops, releaseId, dryRun, reason });
      const answer = await (dryRun ? released : thenWake(ctx, released));
      return new Reply(dryRun ? 200 : 202, answer);
    },
    { ledger: lazyLedger },
  ),
);
