import { type Drops, formatDrops, XRP_DECIMALS } from '#lib/base/money.ts';
import type { EventData, EventType } from '#lib/events/catalogue.ts';
import { API_VERSION, eventId } from '#lib/events/envelope.ts';

/** What a sample is built around. */
interface SampleInput {
  amountDrops: Drops;
  investorAccount: string;
  now: Date;
}

export const SAMPLE_AMOUNT_DROPS: Drops = 250n * 10n ** BigInt(XRP_DECIMALS);
export const SAMPLE_ACCOUNT = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
const INVESTMENT_ID = 'inv_00000000000000000sample';
const PROJECT_ID = 'proj_00000000000000000sample';
const PROJECT_NAME = 'Sample sale';
const LEDGER_INDEX = 90_000_000;
const DESTINATION_TAG = 123_456_789;
const PRICE = '0.10';

/** Full, self-consistent data of each event, for test sends: one tier at 0.10 XRP, so tokens are ten times the XRP. */
export function sampleData({ amountDrops, investorAccount, now }: SampleInput): EventData {
  const time = now.toISOString();
  const amount = formatDrops(amountDrops);
  const tokens = formatDrops(amountDrops * 10n);
  const placed = { hash: 'AB'.repeat(32), ledger_index: LEDGER_INDEX };
  const investment = { investment_id: INVESTMENT_ID, project_id: PROJECT_ID, investor_account: investorAccount };
  const tier = { tier: 1, price_per_token: PRICE, total_tokens: '1000000.000000' };
  const maintenance = {
    maintenance_id: 'mnt_00000000000000000sample',
    message: 'The database is moved. Payments stay safe and are processed afterwards.',
    started_at: time,
  };
  return {
    'investment.created': {
      ...investment,
      amount_xrp: amount,
      tier_info: { tier: 1, price_per_token: PRICE, tokens_expected: tokens },
      transaction: { ...placed, destination_tag: DESTINATION_TAG },
      status: 'pending_confirmation',
      created_at: time,
    },
    'investment.confirmed': {
      ...investment,
      confirmed_amount_xrp: amount,
      final_tier_allocation: [{ tier: 1, amount_xrp: amount, tokens }],
      total_tokens: tokens,
      tokens_to_distribute: tokens,
      transaction: { ...placed, confirmed_at: time },
      status: 'confirmed',
    },
    'investment.failed': {
      ...investment,
      amount_xrp: amount,
      reason: 'sold_out',
      transaction: placed,
      status: 'failed',
    },
    'investment.tokens_distributed': {
      ...investment,
      payout_id: 'pay_00000000000000000sample',
      part: 1,
      tokens,
      transaction: placed,
      distributed_at: time,
    },
    'investment.refunded': {
      ...investment,
      payout_id: 'pay_00000000000000000sample',
      amount_xrp: amount,
      transaction: placed,
      refunded_at: time,
    },
    'project.launched': {
      project_id: PROJECT_ID,
      project_name: PROJECT_NAME,
      deposit_address: SAMPLE_ACCOUNT,
      destination_tag: DESTINATION_TAG,
      tiers: [tier],
      starts_at: time,
      ends_at: null,
      terms_hash: '0'.repeat(64),
      transaction: placed,
      launched_at: time,
    },
    'project.tier_completed': {
      project_id: PROJECT_ID,
      project_name: PROJECT_NAME,
      tier_completed: 1,
      tier_details: { ...tier, total_value_xrp: '100000.000000' },
      completion_stats: { total_investors: 42, completion_time: time, time_to_complete_hours: 36.5 },
      next_tier: { tier: 2, price_per_token: '0.15', total_tokens: '1000000.000000', starts_at: time },
      project_progress: {
        tiers_completed: 1,
        total_tiers: 2,
        total_raised_xrp: '100000.000000',
        progress_percentage: 40,
      },
    },
    'project.milestone_reached': {
      project_id: PROJECT_ID,
      project_name: PROJECT_NAME,
      milestone: { kind: 'progress', percentage: 25 },
      project_progress: {
        tiers_completed: 0,
        total_tiers: 2,
        total_raised_xrp: '62500.000000',
        progress_percentage: 25,
      },
      transaction: placed,
      reached_at: time,
    },
    'project.cancelled': {
      project_id: PROJECT_ID,
      project_name: PROJECT_NAME,
      total_raised_xrp: '62500.000000',
      total_investors: 42,
      transaction: placed,
      cancelled_at: time,
    },
    'system.maintenance_start': {
      ...maintenance,
      expected_end_at: new Date(now.getTime() + 3_600_000).toISOString(),
    },
    'system.maintenance_end': { ...maintenance, ended_at: time },
    'system.network_status': {
      part: 'ledger',
      status: 'degraded',
      previous: 'operational',
      since: time,
      detail: 'The newest validated ledger is over a minute old.',
    },
    'system.webhook_disabled': {
      webhook_id: 'wh_00000000000000000sample',
      reason: 'failing',
      message: 'Every attempt has failed for five days. Repair the receiver, then set active to true.',
      failing_since: new Date(now.getTime() - 5 * 86_400_000).toISOString(),
      disabled_at: time,
    },
    'system.delivery_failed': {
      webhook_id: 'wh_00000000000000000sample',
      delivery_id: 'del_00000000000000000sample',
      event_id: 'evt_00000000000000000sample',
      event_type: 'investment.confirmed',
      attempts: 7,
      response_code: 503,
      message: 'No attempt is left. Repair the receiver, then resend the delivery or replay what failed.',
      failed_at: time,
    },
    'system.alert': {
      kind: 'balance_difference',
      message: 'The ledger shows 5.000000 XRP less on the account than the recorded balance.',
      details: {
        account: SAMPLE_ACCOUNT,
        ledger_index: LEDGER_INDEX,
        expected_xrp: '1005.000000',
        actual_xrp: '1000.000000',
        difference_xrp: '-5.000000',
      },
      raised_at: time,
    },
    'project.sale_ended': {
      project_id: PROJECT_ID,
      project_name: PROJECT_NAME,
      reason: 'sold_out',
      total_raised_xrp: '250000.000000',
      total_investors: 42,
      ended_at: time,
    },
  } satisfies { [T in EventType]: EventData[T] };
}

const SAMPLE_TIME = new Date('2026-11-21T12:00:00.000Z');
const SAMPLE_DATA: EventData = sampleData({
  amountDrops: SAMPLE_AMOUNT_DROPS,
  investorAccount: SAMPLE_ACCOUNT,
  now: SAMPLE_TIME,
});

/** A whole event of a type as it is sent (docs/webhooks.md#receive), the same on every call. */
export const exampleOf = (type: EventType) => ({
  event_type: type,
  event_id: eventId(type, 'example'),
  timestamp: SAMPLE_TIME.toISOString(),
  api_version: API_VERSION,
  data: SAMPLE_DATA[type],
});
