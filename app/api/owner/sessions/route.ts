import { listSessionsContract, signInContract } from '#lib/accounts/members/contracts.ts';
import { listSessions } from '#lib/accounts/members/sessions.ts';
import { signIn } from '#lib/accounts/members/sign-in.ts';
import { operation, resource } from '#lib/api/route.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(listSessionsContract, (ctx) => listSessions(ctx)),
  operation(signInContract, (ctx, { body }) => signIn(ctx, body), { ledger: lazyLedger }),
);
