import { toIso } from '#lib/base/clock.ts';
import { type Drops, formatDrops, formatUnits, type TokenUnits } from '#lib/base/money.ts';
import { alertEvent, type NewEvent } from '#lib/events/envelope.ts';
import type { Payout } from './types.ts';

/** The event of a payout that is validated; null for the refund of a payment that belongs to no investment. */
export function payoutEvent(
  payout: Payout,
  transaction: { hash: string; ledgerIndex: number; closedAtMs: number },
): NewEvent | null {
  if (payout.investmentId === null || payout.projectId === null) return null;
  const occurredAt = new Date(transaction.closedAtMs);
  const common = {
    investment_id: payout.investmentId,
    project_id: payout.projectId,
    investor_account: payout.destination,
    payout_id: payout.id,
    transaction: { hash: transaction.hash, ledger_index: transaction.ledgerIndex },
  };
  const about = { subject: payout.id, projectId: payout.projectId, occurredAt };
  if (payout.asset.kind === 'xrp') {
    return {
      type: 'investment.refunded',
      ...about,
      data: { ...common, amount_xrp: formatDrops(payout.amount), refunded_at: toIso(occurredAt) },
    };
  }
  return {
    type: 'investment.tokens_distributed',
    ...about,
    data: {
      ...common,
      part: payout.part,
      tokens: formatUnits(payout.amount, payout.asset.decimals),
      distributed_at: toIso(occurredAt),
    },
  };
}

export type AlertEvent = NewEvent<'system.alert'>;

type WithoutTime<T> = T extends unknown ? Omit<T, 'raised_at'> : never;

export const alert = (
  subject: string,
  nowMs: number,
  data: WithoutTime<AlertEvent['data']>,
  occurredAtMs = nowMs,
): AlertEvent => alertEvent(subject, occurredAtMs, { ...data, raised_at: new Date(nowMs).toISOString() });

export const utcDay = (nowMs: number): string => new Date(nowMs).toISOString().slice(0, 10);

/** An account has paid all that it may within the hour. Sent once an hour and account, `hour` being the database's. */
export function ceilingReached(
  found: {
    account: string;
    hour: Date;
    limitPayouts: number;
    limitDrops: Drops | null;
    waiting: number;
    /** Only the share of minor payouts is used up: the others go on. */
    onlyMinor: boolean;
  },
  nowMs: number,
): AlertEvent {
  const { account, hour, limitPayouts, limitDrops, waiting, onlyMinor } = found;
  const about = `${account}:${hour.toISOString()}`;
  return alert(onlyMinor ? `${about}:minor` : about, nowMs, {
    kind: 'payout_ceiling',
    message: onlyMinor
      ? `${account} has made all the payouts of less than 1 XRP, or to accounts that were paid often, that it may within an hour: ${waiting} were put off and go on by themselves. All others are paid as before. Look at GET /api/admin/payouts?reason=hourly_ceiling: many such payouts are mostly dust, which a sale with min_investment_xrp refuses.`
      : `${account} has paid all that it may within an hour: ${waiting} payouts were put off and go on by themselves. If so many are owed, raise PAYOUT_HOURLY_LIMIT or PAYOUT_HOURLY_XRP; if not, halt the account and look at GET /api/admin/payouts.`,
    details: {
      account,
      limit_payouts: limitPayouts,
      limit_xrp: limitDrops === null ? null : formatDrops(limitDrops),
      waiting,
    },
  });
}

/** Parts wait for their holders longer than `claim_days`. Sent once a project and `day` (UTC) on which any of them did. */
export function unclaimedParts(
  found: { account: string; projectId: string; day: string; parts: number; units: TokenUnits; decimals: number },
  nowMs: number,
): AlertEvent {
  const { account, projectId, day, parts, units, decimals } = found;
  return alert(`${projectId}:${day}`, nowMs, {
    kind: 'payout_unclaimed',
    message: `${parts} parts of project ${projectId} wait for their holders longer than its claim_days. They are still paid when their holders can take them; GET /api/admin/payouts?overdue=true lists them.`,
    details: { account, project_id: projectId, parts, tokens: formatUnits(units, decimals) },
  });
}

const KEY_MESSAGES = {
  payer_key_disabled: (account: string) =>
    `The master key of ${account} is disabled on the ledger: its payouts wait. Add its regular key to SIGNING_KEYS.`,
  payer_key_changed: (account: string) =>
    `The key in SIGNING_KEYS for ${account} is neither its master key nor its regular key on the ledger: its payouts wait. If none of your people changed the regular key, halt the account and move its funds.`,
  signing_key_unfit: (account: string) =>
    `An entry of SIGNING_KEYS for ${account} is invalid; the log says why. Its payouts wait. Correct the entry and deploy.`,
  waiting_witnesses: (account: string) =>
    `Too few witnesses have signed for ${account}: its payouts wait, and go on by themselves once enough answer. GET /api/admin/witnesses says which are away or behind; ask their operators.`,
  witness_refused: (account: string) =>
    `Witnesses refuse to sign payouts of ${account}, which wait. GET /api/admin/witnesses shows their reasons. Compare the payout with the sale's verification before anything else: they sign only what the ledger and the terms owe.`,
} as const;

type UnusableKey = keyof typeof KEY_MESSAGES;
export const isUnusableKey = (reason: string): reason is UnusableKey => reason in KEY_MESSAGES;

/** No configured key may sign for a paying account. Sent once a day (UTC) and account until it is mended. */
export function unusableKey(found: { account: string; reason: UnusableKey }, nowMs: number): AlertEvent {
  const { account, reason } = found;
  return alert(`${account}:${reason}:${utcDay(nowMs)}`, nowMs, {
    kind: 'payout_key',
    message: KEY_MESSAGES[reason](account),
    details: { account, reason },
  });
}

/** The database is older than what was paid: nothing more is paid out. Sent once a day (UTC) until it is mended. */
export function databaseBehind(
  { account, remembered }: { account: string; remembered: string },
  nowMs: number,
): AlertEvent {
  return alert(`${account}:${utcDay(nowMs)}`, nowMs, {
    kind: 'database_behind',
    message: `The database does not know ${remembered}, which Redis remembers as signed or settled last for ${account}: it has been restored from a backup, or another one has taken its place, and takes for owed what was paid since. All payouts wait. Take SIGNING_KEYS away and follow "Backup and restore" in docs/operations.md.`,
    details: { account, remembered },
  });
}

/** Somebody else signs with a paying account's key: a ticket of ours was used up by `usedBy`. Sent once a transaction. */
export function keyUsedOutside({ account, usedBy }: { account: string; usedBy: string }, nowMs: number): AlertEvent {
  return alert(usedBy, nowMs, {
    kind: 'payout_key',
    message: `The transaction ${usedBy}, which this platform did not sign, has used up a ticket that ${account} needed for a payout. The payout is made anew with another ticket, or held as paid_elsewhere, and so is every unfinished payout to whom that transaction paid. If none of your people signed it, halt the account and move its funds: somebody has its key.`,
    details: { account, reason: 'key_used_elsewhere' },
  });
}

/** A distributor has moved something by a transaction that the platform did not sign. Sent once a transaction. */
export function unknownTransfer(
  found: {
    account: string;
    txHash: string;
    ledgerIndex: number;
    closedAt: Date;
    transactionType: string;
    destination: string | null;
    delivered: string | null;
  },
  nowMs: number,
): AlertEvent {
  const { account, txHash, ledgerIndex, closedAt, transactionType, destination, delivered } = found;
  const what =
    destination === null ? `made a ${transactionType}` : `paid ${delivered ?? 'something'} to ${destination}`;
  return alert(
    `${account}:${txHash}`,
    nowMs,
    {
      kind: 'unknown_transfer',
      message: `The distributor ${account} ${what} by a transaction that this platform did not sign. If none of your people did, its key is compromised: halt the account and move its tokens.`,
      details: {
        account,
        transaction: { hash: txHash, ledger_index: ledgerIndex, type: transactionType },
        destination,
        delivered,
      },
    },
    closedAt.getTime(),
  );
}

/** Ledger servers name different transactions that used up one ticket of a paying account. Sent once a ticket. */
export function ticketDisputed(
  found: { account: string; ticket: number; ledgerIndex: number; usedBy: readonly string[] },
  nowMs: number,
): AlertEvent {
  const { account, ticket, ledgerIndex, usedBy } = found;
  return alert(`${account}:ticket:${ticket}`, nowMs, {
    kind: 'servers_disagree',
    message: `The ledger servers name different transactions that used up ticket ${ticket} of ${account}: ${usedBy.join(', ')}. Its payout stays on its way until they agree. Look at the servers in XRPL_URLS and replace the one that is wrong.`,
    details: { account, ledger_index: ledgerIndex },
  });
}
