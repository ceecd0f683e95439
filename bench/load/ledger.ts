import { startLedger } from 'xrpl-sandbox/index.ts';
import { nowMs } from '../webhooks/now.ts';

/** The ledger in a process of its own, which knows to the fraction of a millisecond when it closes each one. */

export type LedgerOrder = { kind: 'begin'; everyMs: number } | { kind: 'closes' };
/** Index and moment, in `nowMs()`: before the close begins, so that its own work counts as waiting. */
export type Closes = [ledgerIndex: number, atMs: number][];

const { networkId } = JSON.parse(process.argv[2] ?? '') as { networkId: number };
// As much as comes: fees that escalate would only end the measurement.
const ledger = await startLedger({ intervalMs: 0, networkId, expectedLedgerSize: 1_000_000 });
const closes: Closes = [];

function close(): void {
  const atMs = nowMs();
  closes.push([ledger.accept(), atMs]);
}

process.on('message', (order: LedgerOrder) => {
  if (order.kind === 'begin') setInterval(close, order.everyMs);
  process.send?.(order.kind === 'closes' ? closes : 'begun');
});
process.on('disconnect', () => process.exit());
process.send?.(ledger.wsUrl);
