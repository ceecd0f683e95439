import { operation, resource } from '#lib/http/route.ts';
import { issueTokensNow } from '#lib/jobs/issue-tokens.ts';
import { lazyLedger } from '#lib/ledger/lazy.ts';
import { issueTokensContract } from '#lib/payouts/issue/contracts.ts';

export const maxDuration = 60;

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(issueTokensContract, (ctx, { body }) => issueTokensNow(ctx, body), { ledger: lazyLedger }),
);
