import { operation, resource } from '#lib/http/route.ts';
import { lazyLedger } from '#lib/ledger/lazy.ts';
import { listAccountsContract } from '#lib/sale/accounts/contracts.ts';
import { listAccounts } from '#lib/sale/accounts/list-accounts.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(listAccountsContract, (ctx, { query }) => listAccounts(ctx, query), { ledger: lazyLedger }),
);
