import { Reply } from '#lib/api/answer.ts';
import { operation, resource } from '#lib/api/route.ts';
import { tokenHoldingContract } from '#lib/payouts/token-setup/contracts.ts';
import { openHolding } from '#lib/payouts/token-setup/open-holding.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';

export const maxDuration = 60;

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(
    tokenHoldingContract,
    async (ctx, { params: { address }, body: { token, dry_run: dryRun, reason } }) => {
      const opened = await openHolding(ctx, { address, token, dryRun, reason });
      return opened.dry_run ? new Reply(200, opened) : new Reply(202, opened);
    },
    { ledger: lazyLedger },
  ),
);
