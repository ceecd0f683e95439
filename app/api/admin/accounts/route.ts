import { operation, resource } from '#lib/api/route.ts';
import { listAccountsContract } from '#lib/sales/accounts/contracts.ts';
import { listAccounts } from '#lib/sales/accounts/list-accounts.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(listAccountsContract, (ctx, { query }) => listAccounts(ctx, query), { ledger: lazyLedger }),
);
