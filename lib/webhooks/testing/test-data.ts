import type { z } from 'zod';
import { EVENT_CATALOGUE, type EventData, type EventType } from '#lib/events/catalogue.ts';
import { type FieldError, PlatformError } from '#lib/platform/errors.ts';
import { shownName } from '#lib/platform/field-name.ts';
import type { sendTestEventBody } from '#lib/webhooks/contracts.ts';
import { SAMPLE_ACCOUNT, SAMPLE_AMOUNT_DROPS, sampleData } from './samples.ts';

/** Faults of one answer; a body of 64 KiB can hold thousands. */
const MAX_FAULTS = 50;

const fault = (errors: FieldError[]) => {
  const [first] = errors;
  return new PlatformError('invalid_request', `${first?.field}: ${first?.message}`, {
    errors: errors.slice(0, MAX_FAULTS),
  });
};

/**
 * The data of a test event: the type's sample around the amount and account given (where the event has them), with any
 * further field laid over it. Throws `invalid_request` when the result is not what such an event may carry.
 */
export function testData(
  type: EventType,
  given: z.output<typeof sendTestEventBody>['test_data'],
  now: Date,
): EventData[EventType] {
  const { amount_xrp: amountDrops, investor_account: investorAccount, ...overlay } = given;
  const sample = sampleData({
    amountDrops: amountDrops ?? SAMPLE_AMOUNT_DROPS,
    investorAccount: investorAccount ?? SAMPLE_ACCOUNT,
    now,
  })[type];
  const unknown = Object.keys(overlay).filter((name) => !Object.hasOwn(sample, name));
  if (unknown.length > 0) {
    throw fault(
      unknown.map((name) => ({ field: `body.test_data.${shownName(name)}`, message: `is not a field of ${type}` })),
    );
  }
  const merged = EVENT_CATALOGUE[type].safeParse({ ...sample, ...overlay });
  if (!merged.success) {
    throw fault(
      merged.error.issues.map(({ path, message }) => ({ field: ['body.test_data', ...path].join('.'), message })),
    );
  }
  return merged.data;
}
