import { issuerOfIssuance, type LedgerToken } from './token.ts';
import type { AccountState, Ledger, MptHolding, MptIssuance, TrustLine } from './types.ts';

export interface IouFacts {
  kind: 'iou';
  issuer: AccountState | null;
  /** The distributor's line to the issuer; null when there is none or the distributor is the issuer. */
  line: TrustLine | null;
}

export interface MptFacts {
  kind: 'mpt';
  issuance: MptIssuance | null;
  /** The distributor's own; null when there is none or the distributor is the issuer. */
  holding: MptHolding | null;
}

/** What the ledger shows of a token and of the distributor that is to hold it. */
export type TokenFacts = IouFacts | MptFacts;

/** Reads them side by side, what the distributor holds from `ledgerIndex` where that is given. Throws `ledger_unavailable`. */
export async function readTokenFacts(
  ledger: Ledger,
  distributor: string,
  token: LedgerToken,
  ledgerIndex?: number,
): Promise<TokenFacts> {
  if (token.kind === 'mpt') {
    const { issuanceId } = token;
    const [issuance, holding] = await Promise.all([
      ledger.mptIssuance(issuanceId),
      // An issuer has no holding of its own token, and the ledger refuses the question.
      distributor === issuerOfIssuance(issuanceId) ? null : ledger.mptHolding(distributor, issuanceId, ledgerIndex),
    ]);
    return { kind: 'mpt', issuance, holding };
  }
  const [issuer, line] = await Promise.all([
    ledger.account(token.issuer),
    distributor === token.issuer ? null : ledger.trustLine(distributor, token.issuer, token.currency, ledgerIndex),
  ]);
  return { kind: 'iou', issuer, line };
}
