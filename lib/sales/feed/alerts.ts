import { type Drops, formatDrops } from '#lib/base/money.ts';
import { alertEvent } from '#lib/events/alert.ts';
import type { NewEvent } from '#lib/events/envelope.ts';

/** A transaction of the feed that alarms, once for good: the event's id follows from its hash. */
interface Alarming {
  account: string;
  hash: string;
  ledgerIndex: number;
  transactionType: string;
  closedAtMs: number;
}

const placed = ({ account, hash, ledgerIndex, transactionType }: Alarming) => ({
  account,
  transaction: { hash, ledger_index: ledgerIndex, type: transactionType },
});

/** XRP left the account by a transaction that the platform did not make. */
export const unknownWithdrawal = (found: Alarming, amountDrops: Drops, nowMs: number): NewEvent<'system.alert'> =>
  alertEvent(found.hash, found.closedAtMs, {
    kind: 'unknown_withdrawal',
    message: `${formatDrops(amountDrops)} XRP left ${found.account} by a transaction that this platform did not sign. If nobody of yours did, its key is in other hands: halt the account and move its funds.`,
    details: { ...placed(found), amount_xrp: formatDrops(amountDrops) },
    raised_at: new Date(nowMs).toISOString(),
  });

/** Something turned up in a ledger that was decided already. `amountDrops` is null for a move. */
export const lateDiscovery = (found: Alarming, amountDrops: Drops | null, nowMs: number): NewEvent<'system.alert'> =>
  alertEvent(found.hash, found.closedAtMs, {
    kind: 'late_discovery',
    message:
      amountDrops === null
        ? `A move turned up in ledger ${found.ledgerIndex}, which was decided already: it has no effect. Make it again if it is still wanted.`
        : `XRP turned up in ledger ${found.ledgerIndex}, which was decided already: it is held. Look at it with GET /api/admin/payments and decide what becomes of it.`,
    details: { ...placed(found), amount_xrp: amountDrops === null ? null : formatDrops(amountDrops) },
    raised_at: new Date(nowMs).toISOString(),
  });

/** The account's balance on the ledger is not what the books say. */
export function balanceDifference(
  found: { account: string; ledgerIndex: number; expectedDrops: Drops; actualDrops: Drops },
  nowMs: number,
): NewEvent<'system.alert'> {
  const { account, ledgerIndex, expectedDrops, actualDrops } = found;
  const difference = actualDrops - expectedDrops;
  const size = formatDrops(difference < 0n ? -difference : difference);
  return alertEvent(`${account}:${ledgerIndex}:${difference}`, nowMs, {
    kind: 'balance_difference',
    message: `The ledger shows ${size} XRP ${difference < 0n ? 'less' : 'more'} on ${account} than the books. Read the ledgers up to ${ledgerIndex} again with POST /api/system/process-transactions.`,
    details: {
      account,
      ledger_index: ledgerIndex,
      expected_xrp: formatDrops(expectedDrops),
      actual_xrp: formatDrops(actualDrops),
      difference_xrp: formatDrops(difference),
    },
    raised_at: new Date(nowMs).toISOString(),
  });
}

/** Two ledger servers report different things of one ledger. */
export const serversDisagree = (
  found: { account: string; ledgerIndex: number },
  nowMs: number,
): NewEvent<'system.alert'> =>
  alertEvent(`${found.account}:${found.ledgerIndex}`, nowMs, {
    kind: 'servers_disagree',
    message: `The ledger servers report different things of ledger ${found.ledgerIndex} for ${found.account}. Nothing from there on is recorded until two of them agree; the next run asks again. If it lasts, look at the servers in XRPL_URLS and replace the one that is wrong.`,
    details: { account: found.account, ledger_index: found.ledgerIndex },
    raised_at: new Date(nowMs).toISOString(),
  });
