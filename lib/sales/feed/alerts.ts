import type { Tx } from '#lib/base/db.ts';
import { type Drops, formatDrops } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import { appendEvents } from '#lib/events/append.ts';
import type { EventData } from '#lib/events/catalogue.ts';
import { alertEvent } from '#lib/events/envelope.ts';

type Data = EventData['system.alert'];
type Raised<Kind> = Kind extends Data ? Omit<Kind, 'raised_at'> & { subject: string; closedAtMs?: number } : never;
/** An alert with `subject`: the same one of its kind is raised once. The time of the fact is that of its ledger, else now. */
type Alert = Raised<Data>;

/** Logs alerts and appends their events. Returns how many were not raised before. */
export async function raiseAlerts(ctx: Ctx, tx: Tx, alerts: readonly Alert[]): Promise<number> {
  const nowMs = ctx.clock.nowMs();
  for (const { kind, details, message } of alerts) ctx.log.error({ kind, details }, message);
  return appendEvents(
    tx,
    alerts.map(({ subject, closedAtMs = nowMs, ...alert }) =>
      alertEvent(subject, closedAtMs, { ...alert, raised_at: new Date(nowMs).toISOString() } as Data),
    ),
  );
}

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
export const unknownWithdrawal = (found: Alarming, amountDrops: Drops): Alert => ({
  kind: 'unknown_withdrawal',
  subject: found.hash,
  closedAtMs: found.closedAtMs,
  message: `${formatDrops(amountDrops)} XRP left ${found.account} by a transaction that this platform did not sign. If none of your people did, its key is compromised: halt the account and move its funds.`,
  details: { ...placed(found), amount_xrp: formatDrops(amountDrops) },
});

/** Something turned up in a ledger that was decided already. `amountDrops` is null for an action. */
export const lateDiscovery = (found: Alarming, amountDrops: Drops | null): Alert => ({
  kind: 'late_discovery',
  subject: found.hash,
  closedAtMs: found.closedAtMs,
  message:
    amountDrops === null
      ? `An action was discovered in ledger ${found.ledgerIndex}, which was decided already: it has no effect. Submit it again if you still want it.`
      : `XRP was discovered in ledger ${found.ledgerIndex}, which was decided already: it is held. Look at it with GET /api/admin/payments and assign or refund it.`,
  details: { ...placed(found), amount_xrp: amountDrops === null ? null : formatDrops(amountDrops) },
});

/** The account's balance on the ledger is not what the records say. */
export function balanceDifference(found: {
  account: string;
  ledgerIndex: number;
  expectedDrops: Drops;
  actualDrops: Drops;
}): Alert {
  const { account, ledgerIndex, expectedDrops, actualDrops } = found;
  const difference = actualDrops - expectedDrops;
  const size = formatDrops(difference < 0n ? -difference : difference);
  return {
    kind: 'balance_difference',
    subject: `${account}:${ledgerIndex}:${difference}`,
    message: `The ledger shows ${size} XRP ${difference < 0n ? 'less' : 'more'} on ${account} than the recorded balance. Read the ledgers up to ${ledgerIndex} again with POST /api/system/process-transactions.`,
    details: {
      account,
      ledger_index: ledgerIndex,
      expected_xrp: formatDrops(expectedDrops),
      actual_xrp: formatDrops(actualDrops),
      difference_xrp: formatDrops(difference),
    },
  };
}

/** Two ledger servers report different things of one ledger. */
export const serversDisagree = (account: string, ledgerIndex: number): Alert => ({
  kind: 'servers_disagree',
  subject: `${account}:${ledgerIndex}`,
  message: `The ledger servers report different things of ledger ${ledgerIndex} for ${account}. Nothing from there on is recorded until two of them agree; the next run asks again. If it lasts, look at the servers in XRPL_URLS and replace the one that is wrong.`,
  details: { account, ledger_index: ledgerIndex },
});
