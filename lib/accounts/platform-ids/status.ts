import { compareExact, exactText } from '@tranche/rules/exact-decimal.ts';
import { toIso } from '#lib/base/clock.ts';
import { env } from '#lib/base/env.ts';
import type { PlatformIdStatus } from './contracts.ts';
import { eligibilityOf } from './eligibility.ts';
import type { PlatformIdRow } from './find-platform-id.ts';
import type { Snapshot, Standing } from './types.ts';

/** The snapshot that a standing is from, as answers show it. */
export function snapshotOf(standing: Standing): { ledger_index: number | null; synced_at: string | null } {
  const shown = ({ ledgerIndex, syncedAt }: Snapshot) => ({ ledger_index: ledgerIndex, synced_at: toIso(syncedAt) });
  return 'ledgerIndex' in standing ? shown(standing) : { ledger_index: null, synced_at: null };
}

export const balanceOf = (standing: Standing): string | null =>
  standing.state === 'counted' ? exactText(standing.balance) : null;

function requiredBalance(): string | null {
  const least = env().PLATFORM_ID_MIN_BALANCE;
  return compareExact(least, '0') === 0 ? null : exactText(least);
}

/** What the status says of a wallet: its Platform ID where it has one, and how it stands by the last snapshot. Pure but for the settings. */
export function statusOf(walletAddress: string, row: PlatformIdRow | null, standing: Standing): PlatformIdStatus {
  const eligibility = eligibilityOf(standing);
  const refused = eligibility.eligible ? null : eligibility;
  const toGenerate = 'Ask for it: POST /api/platform-id/generate with this `wallet_address`.';
  return {
    wallet_address: walletAddress,
    has_platform_id: row !== null,
    platform_id: row?.id ?? null,
    eligible: eligibility.eligible,
    reason: refused?.reason ?? null,
    explanation: refused?.explanation ?? null,
    what_to_do: refused?.whatToDo ?? (row === null ? toGenerate : null),
    required_balance: requiredBalance(),
    balance: balanceOf(standing),
    level: eligibility.eligible ? eligibility.level : null,
    ...snapshotOf(standing),
  };
}
