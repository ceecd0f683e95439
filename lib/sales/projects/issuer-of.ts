import { issuerOfIssuance } from '#lib/xrpl/issuance-id.ts';
import type { TokenInput } from './token-input.ts';

/** The account that issues a token. */
export const issuerOf = (token: TokenInput): string =>
  token.kind === 'iou' ? token.issuer : issuerOfIssuance(token.issuance_id);
