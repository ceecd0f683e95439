import { amendmentId } from './amendments.ts';
import { type Entry, UNTHREADED, ZERO_HASH } from './entries.ts';
import { type ClosedLedger, sealHeader } from './history.ts';
import { AMENDMENTS_INDEX, accountIndex, FEE_SETTINGS_INDEX } from './keylets.ts';
import type { NetworkRules } from './rules.ts';
import type { ValidatedState } from './state.ts';

/** The account that holds everything at first; its seed is public (`masterpassphrase`). */
export const GENESIS_ADDRESS = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
export const GENESIS_SEED = 'snoPBrXtMeMyMHUVTgbuqAfg1SUTb';
const GENESIS_DROPS = 100_000_000_000_000_000n;

/** The first ledger, entry by entry as a standalone server makes it: with the default rules its hash is the same. */
export function genesisLedger(state: ValidatedState, rules: NetworkRules): ClosedLedger {
  const entries = new Map<string, Entry>([
    [
      accountIndex(GENESIS_ADDRESS),
      {
        LedgerEntryType: 'AccountRoot',
        Account: GENESIS_ADDRESS,
        Balance: String(GENESIS_DROPS),
        Flags: 0,
        OwnerCount: 0,
        Sequence: 1,
        ...UNTHREADED,
      },
    ],
    [
      FEE_SETTINGS_INDEX,
      {
        LedgerEntryType: 'FeeSettings',
        BaseFeeDrops: String(rules.baseFeeDrops),
        Flags: 0,
        ReserveBaseDrops: String(rules.reserveBaseDrops),
        ReserveIncrementDrops: String(rules.reserveIncDrops),
      },
    ],
    [
      AMENDMENTS_INDEX,
      {
        LedgerEntryType: 'Amendments',
        Amendments: [...rules.amendments].map(amendmentId).sort(),
        Flags: 0,
      },
    ],
  ]);
  state.commit(entries, 1);
  const header = sealHeader({
    ledgerIndex: 1,
    parentHash: ZERO_HASH,
    accountHash: state.rootHash,
    transactionHash: ZERO_HASH,
    totalDrops: GENESIS_DROPS,
    closeTime: 0,
    parentCloseTime: 0,
  });
  return { header, transactions: [] };
}
