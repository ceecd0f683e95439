import { formatUnits } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import { hasAccountFlag } from '#lib/xrpl/account.ts';
import { holdToken } from '#lib/xrpl/token-transactions.ts';
import type { ProjectResource } from '../schemas.ts';

type Token = ProjectResource['token'];

/** Whether a wallet can receive a token, as far as its own side goes. */
export interface HolderReadiness {
  wallet_address: string;
  funded: boolean;
  /** It may receive the token as far as its own side goes; the limit must still hold what it buys. */
  ready: boolean;
  problem: 'not_funded' | 'is_issuer' | 'missing' | 'not_authorized' | 'frozen' | null;
  balance: string | null;
  limit: string | null;
}

async function readLine({ ledger }: Ctx, token: Token & { kind: 'iou' }, wallet: string) {
  // An account has no line to itself, and the ledger refuses the question.
  if (wallet === token.issuer) return { problem: 'is_issuer' as const, balance: null, limit: null };
  const [line, issuer] = await Promise.all([
    ledger.trustLine(wallet, token.issuer, token.currency),
    ledger.account(token.issuer),
  ]);
  if (line === null) return { problem: 'missing' as const, balance: null, limit: null };
  const unauthorized = issuer !== null && hasAccountFlag(issuer, 'requireAuthorization') && !line.authorized;
  const problem = unauthorized ? ('not_authorized' as const) : line.frozen ? ('frozen' as const) : null;
  return { problem, balance: line.balance, limit: line.limit };
}

async function readHolding({ ledger }: Ctx, token: Token & { kind: 'mpt' }, wallet: string) {
  const [holding, issuance] = await Promise.all([
    ledger.mptHolding(wallet, token.issuance_id),
    ledger.mptIssuance(token.issuance_id),
  ]);
  if (issuance?.issuer === wallet) return { problem: 'is_issuer' as const, balance: null, limit: null };
  if (holding === null) return { problem: 'missing' as const, balance: null, limit: null };
  const unauthorized = issuance?.requiresAuthorization === true && !holding.authorized;
  const problem = unauthorized ? ('not_authorized' as const) : holding.locked ? ('frozen' as const) : null;
  return { problem, balance: formatUnits(holding.amount, token.decimals), limit: null };
}

/** As the newest validated ledger shows it. Throws `ledger_unavailable`. */
export async function readHolderReadiness(ctx: Ctx, token: Token, wallet: string): Promise<HolderReadiness> {
  if ((await ctx.ledger.account(wallet)) === null) {
    return { wallet_address: wallet, funded: false, ready: false, problem: 'not_funded', balance: null, limit: null };
  }
  const state = await (token.kind === 'iou' ? readLine(ctx, token, wallet) : readHolding(ctx, token, wallet));
  return { wallet_address: wallet, funded: true, ready: state.problem === null, ...state };
}

/**
 * The transaction by which a wallet makes itself ready for a sale's token, but for the wallet's own account. A limit of the
 * whole supply (`totalTokens`, a decimal text) is always enough. Pure.
 */
export const holderSetup = (token: Token, totalTokens: string) =>
  holdToken(
    token.kind === 'iou' ? token : { kind: 'mpt', issuanceId: token.issuance_id },
    totalTokens.replace(/\.?0+$/, ''),
  );
