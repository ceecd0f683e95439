import type { Obligation } from './obligations.ts';
import type { Scene } from './scene.ts';
import { type Paid, paymentsByObligation } from './verify-ledger.ts';

/** So long may a release be under way: what came to be owed meanwhile was not known when it was signed. */
const LEDGERS_TO_LIVE = 20;
const RESERVE_DROPS = 1_000_000n;

/**
 * Whether each release left on its account what it owed in refunds by then. `owedSince` is the ledger after which an
 * obligation was written.
 */
export async function verifyFloor(
  scene: Scene,
  owed: readonly Obligation[],
  shown: Paid,
  owedSince: ReadonlyMap<string, number>,
): Promise<string[]> {
  const wrong: string[] = [];
  const paidIn = new Map(
    [...paymentsByObligation(owed, shown)].map(([{ id }, [payment]]) => [id, payment?.ledgerIndex ?? Infinity]),
  );
  for (const release of owed.filter(({ kind }) => kind === 'release')) {
    const ledgerIndex = paidIn.get(release.id) ?? Infinity;
    if (ledgerIndex === Infinity) continue;
    const refundsDrops = owed
      .filter(({ id, kind }) => kind === 'refund' && (owedSince.get(id) ?? Infinity) < ledgerIndex - LEDGERS_TO_LIVE)
      .filter(({ id }) => (paidIn.get(id) ?? Infinity) > ledgerIndex)
      .reduce((sum, { amount }) => sum + amount, 0n);
    const { result } = await scene.client.request({
      command: 'account_info',
      account: release.payer,
      ledger_index: ledgerIndex,
    });
    const leftDrops = BigInt(result.account_data.Balance);
    if (leftDrops < refundsDrops + RESERVE_DROPS) {
      wrong.push(`${release.id} left ${leftDrops} drops where ${refundsDrops} were owed in refunds`);
    }
  }
  return wrong;
}
