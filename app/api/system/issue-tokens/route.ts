import { operation, resource } from '#lib/api/route.ts';
import { issueTokensContract } from '#lib/payouts/issue/contracts.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';

export const maxDuration = 60;

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(
    issueTokensContract,
    (ctx, { body }) => import('#lib/jobs/issue-tokens.ts').then(({ issueTokensNow }) => issueTokensNow(ctx, body)),
    { ledger: lazyLedger },
  ),
);
