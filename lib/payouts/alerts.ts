import { alertEvent } from '#lib/events/alert.ts';
import type { NewEvent } from '#lib/events/envelope.ts';
import { type Drops, formatDrops, formatUnits, type TokenUnits } from '#lib/platform/money.ts';

type AlertEvent = NewEvent<'system.alert'>;

/** An account has paid all that it may within the hour. Sent once an hour and account, `hour` being the database's. */
export function ceilingReached(
  found: { account: string; hour: Date; limitPayouts: number; limitDrops: Drops | null; waiting: number },
  nowMs: number,
): AlertEvent {
  const { account, hour, limitPayouts, limitDrops, waiting } = found;
  return alertEvent(`${account}:${hour.toISOString()}`, nowMs, {
    kind: 'payout_ceiling',
    message: `${account} has paid all that it may within an hour: ${waiting} payouts were put off and go on by themselves. If so many are owed, raise PAYOUT_HOURLY_LIMIT or PAYOUT_HOURLY_XRP; if not, halt the account and look at GET /api/admin/payouts.`,
    details: {
      account,
      limit_payouts: limitPayouts,
      limit_xrp: limitDrops === null ? null : formatDrops(limitDrops),
      waiting,
    },
    raised_at: new Date(nowMs).toISOString(),
  });
}

/** Parts wait for their holders longer than `claim_days`. Sent once a project and `day` (UTC) on which any of them did. */
export function unclaimedParts(
  found: { account: string; projectId: string; day: string; parts: number; units: TokenUnits; decimals: number },
  nowMs: number,
): AlertEvent {
  const { account, projectId, day, parts, units, decimals } = found;
  return alertEvent(`${projectId}:${day}`, nowMs, {
    kind: 'payout_unclaimed',
    message: `${parts} parts of project ${projectId} wait for their holders longer than its claim_days. They are still paid when their holders can take them; GET /api/admin/payouts?overdue=true lists them.`,
    details: { account, project_id: projectId, parts, tokens: formatUnits(units, decimals) },
    raised_at: new Date(nowMs).toISOString(),
  });
}

/** No configured key may sign for a paying account. Sent once a day (UTC) and account until it is mended. */
export function unusableKey(
  found: { account: string; reason: 'payer_key_disabled' | 'payer_key_changed' },
  nowMs: number,
): AlertEvent {
  const { account, reason } = found;
  const raisedAt = new Date(nowMs).toISOString();
  return alertEvent(`${account}:${reason}:${raisedAt.slice(0, 10)}`, nowMs, {
    kind: 'payout_key',
    message:
      reason === 'payer_key_disabled'
        ? `The master key of ${account} is disabled on the ledger: its payouts wait. Add its regular key to SIGNING_KEYS.`
        : `The key in SIGNING_KEYS for ${account} is neither its master key nor its regular key on the ledger: its payouts wait. If nobody of yours changed the regular key, halt the account and move its funds.`,
    details: { account, reason },
    raised_at: raisedAt,
  });
}
