import type { z } from 'zod';
import { type FieldError, PlatformError } from '#lib/base/errors.ts';
import { fieldPath, shownName } from '#lib/base/field-name.ts';
import { EVENT_CATALOGUE, type EventData, type EventType } from '#lib/events/catalogue.ts';
import type { sendTestEventBody } from '#lib/webhooks/contracts.ts';
import { parseAccountAddress } from '#lib/xrpl/address.ts';
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
 * The data of a test event: the sample of an `investment.*` event around the amount and account given, or the sample of
 * any other, with any further field laid over it. Throws `invalid_request` when the result is not what such an event may
 * carry: nothing that was given is left out in silence.
 */
export function testData(
  type: EventType,
  given: z.output<typeof sendTestEventBody>['test_data'],
  now: Date,
): EventData[EventType] {
  const { amount_xrp: amountDrops, investor_account: investorAccount, ...overlay } = given;
  if (!type.startsWith('investment.')) {
    const strange = (['amount_xrp', 'investor_account'] as const).filter((name) => given[name] !== undefined);
    const message = `is for investment.* events: leave it out of a ${type}, or give a field that its data has`;
    if (strange.length > 0) throw fault(strange.map((name) => ({ field: `test_data.${name}`, message })));
  }
  const sample = sampleData({
    amountDrops: amountDrops ?? SAMPLE_AMOUNT_DROPS,
    investorAccount: investorAccount ?? SAMPLE_ACCOUNT,
    now,
  })[type];
  const unknown = Object.keys(overlay).filter((name) => !Object.hasOwn(sample, name));
  if (unknown.length > 0) {
    throw fault(
      unknown.map((name) => ({ field: `test_data.${shownName(name)}`, message: `is not a field of ${type}` })),
    );
  }
  const merged = EVENT_CATALOGUE[type].safeParse({ ...sample, ...overlay });
  if (!merged.success) {
    throw fault(
      merged.error.issues.map(({ path, message }) => ({ field: fieldPath('body', ['test_data', ...path]), message })),
    );
  }
  const accounts = accountsIn(merged.data, 'test_data');
  const bad = accounts.flatMap(({ field, text }): FieldError[] => {
    const parsed = parseAccountAddress(text);
    return 'fault' in parsed ? [{ field, message: parsed.fault }] : [];
  });
  if (bad.length > 0) throw fault(bad);
  return merged.data;
}

/** Fields of event data that hold an account, as the catalogue names them. */
const ACCOUNT_FIELDS = ['investor_account', 'deposit_address', 'account'];

/** The accounts of an event's data. The catalogue says no more of them than that they are texts. */
const accountsIn = (data: object, path: string): { field: string; text: string }[] =>
  Object.entries(data).flatMap(([name, value]) => {
    const field = `${path}.${name}`;
    if (typeof value === 'string') return ACCOUNT_FIELDS.includes(name) ? [{ field, text: value }] : [];
    return typeof value === 'object' && value !== null ? accountsIn(value, field) : [];
  });
