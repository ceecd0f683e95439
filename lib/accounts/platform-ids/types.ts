/** The snapshot of the platform token's holders that something is said from. */
export interface Snapshot {
  ledgerIndex: number;
  /** When that ledger closed. */
  syncedAt: Date;
}

/** What the last snapshot says of a wallet. `excluded`: the account does not count as a holder, whatever it holds. */
export type Standing =
  | { state: 'no_platform_token' | 'no_snapshot' }
  | (Snapshot & { state: 'excluded' })
  | (Snapshot & {
      state: 'counted';
      /** Exact, in tokens; "0" for a wallet without any. */
      balance: string;
      /** From 1; wallets with the same balance share one. Null for a wallet without tokens. */
      rank: number | null;
      /** Part of the supply that holders have, 0 to 1. */
      share: number;
    });
