import { env } from '#lib/base/env.ts';
import { type LedgerToken, namedToken } from '#lib/xrpl/token-name.ts';

/** The token of PLATFORM_TOKEN; null when none is set. Throws when the setting names no token of the ledger. */
export function platformToken(): LedgerToken | null {
  const given = env().PLATFORM_TOKEN;
  if (given === undefined) return null;
  const token = namedToken.safeParse(given);
  if (!token.success) throw new Error('PLATFORM_TOKEN is not a token: its currency code or its issuer is not valid');
  return token.data;
}
