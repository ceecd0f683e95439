import type { EventData, EventType } from '#lib/events/catalogue.ts';
import { API_VERSION, eventId } from '#lib/events/envelope.ts';
import { SAMPLE_ACCOUNT, SAMPLE_AMOUNT_DROPS, sampleData } from '#lib/webhooks/testing/samples.ts';

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
