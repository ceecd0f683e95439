import { compare, parseDecimal, ZERO } from '../amount.ts';
import { has, LINE, LSF, type RippleState } from '../entries.ts';
import { account, type EntryChange, type TransactionView } from './view.ts';

/** What changed between an issuer and one holder, seen by the holder. */
type Movement = { readonly line: RippleState; readonly issuerIsLow: boolean; readonly gains: boolean };

function movementsOf({ before, after, last }: EntryChange): Movement[] {
  if (last?.LedgerEntryType !== 'RippleState') return [];
  const [was, is] = [before, after].map((entry) =>
    entry?.LedgerEntryType === 'RippleState' ? parseDecimal(entry.Balance.value) : ZERO,
  );
  const change = compare(is ?? ZERO, was ?? ZERO);
  if (change === 0) return [];
  return [
    { line: last, issuerIsLow: false, gains: change > 0 },
    { line: last, issuerIsLow: true, gains: change < 0 },
  ];
}

function isFrozen({ line, issuerIsLow, gains }: Movement): boolean {
  const { freeze, deepFreeze } = issuerIsLow ? LINE.low : LINE.high;
  return has(line.Flags, deepFreeze) || (!gains && has(line.Flags, freeze));
}

/**
 * Whether a transaction let money pass from holder to holder that its issuer had frozen. Every account of a line counts
 * as an issuer, also one that an offer makes pass money on. The server checks this last of all, and a transaction that
 * does so fails with `tecINVARIANT_FAILED` (TransfersNotFrozen in the server's invariants).
 */
export function movesFrozenMoney(view: TransactionView): boolean {
  const movements = [...view.changes.values()].flatMap(movementsOf);
  // Two lines at the least: each gives one movement for either account.
  if (movements.length < 4) return false;
  const byIssuer = Map.groupBy(movements, ({ line, issuerIsLow }) => {
    const { issuer } = issuerIsLow ? line.LowLimit : line.HighLimit;
    return `${line.Balance.currency}/${issuer}`;
  });
  return [...byIssuer].some(([asset, moved]) => {
    if (moved.every(({ gains }) => gains) || !moved.some(({ gains }) => gains)) return false;
    const issuer = asset.slice(asset.indexOf('/') + 1);
    return has(account(view, issuer)?.Flags ?? 0, LSF.globalFreeze) || moved.some(isFrozen);
  });
}
