import type { ProjectResource } from '../schemas.ts';

type Token = ProjectResource['token'];

/** tfSetNoRipple: nobody can send others' balances through the holder's line. */
const SET_NO_RIPPLE = 0x0002_0000;

/**
 * The transaction by which a wallet makes itself ready for a sale's token, but for the wallet's own account. A limit of the
 * whole supply (`totalTokens`, a decimal text) is always enough. Pure.
 */
export const holderSetup = (token: Token, totalTokens: string) =>
  token.kind === 'iou'
    ? {
        TransactionType: 'TrustSet' as const,
        LimitAmount: { currency: token.currency, issuer: token.issuer, value: totalTokens.replace(/\.?0+$/, '') },
        Flags: SET_NO_RIPPLE,
      }
    : { TransactionType: 'MPTokenAuthorize' as const, MPTokenIssuanceID: token.issuance_id };
