'use client';

import { type FormEvent, useState } from 'react';
import type { DeliveryDetail } from '#lib/webhooks/log/contracts.ts';
import type { DeliveryRecord, Webhook } from '#lib/webhooks/schemas.ts';
import { Button } from '../../../_ui/button.tsx';
import { Card } from '../../../_ui/card.tsx';
import { FieldFault, inputClass } from '../../../_ui/field.tsx';
import { Notice } from '../../../_ui/notice.tsx';
import { ApiFault, callApi } from '../../api.ts';
import { useAction } from '../../use-action.ts';
import { useResource } from '../../use-resource.ts';
import { useWebhookAccess } from '../../webhook-access.ts';
import { DeliveryView } from './delivery-view.tsx';

/** What was typed as `test_data`; throws in words when it is no JSON object. */
function valuesOf(text: string): { test_data?: object } {
  if (text.trim() === '') return {};
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) return { test_data: read };
  } catch {
    // Said below, as for JSON that is no object.
  }
  const message = 'must be a JSON object, such as {"amount_xrp":"250.000000"}';
  throw new ApiFault(400, message, [{ field: 'test_data', message }]);
}

/** Sends a sample event now, once, and shows what the receiver answered. */
export function TestEvent({ webhook }: { webhook: Webhook }) {
  const { credential } = useWebhookAccess();
  const [type, setType] = useState<string>(webhook.events[0] ?? 'investment.confirmed');
  const [values, setValues] = useState('');
  const [sent, setSent] = useState<DeliveryRecord | null>(null);
  const { run, isBusy, fault, fields } = useAction(['test_data', 'event_type']);
  const path = sent === null ? null : `/api/webhooks/${webhook.id}/deliveries/${sent.id}`;
  const reading = useResource<DeliveryDetail>(credential, path);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      const body = { webhook_id: webhook.id, event_type: type, ...valuesOf(values) };
      setSent(await callApi<DeliveryRecord>(credential, 'POST', '/api/webhooks/test', body));
    });
  };
  return (
    <Card title="Send a test event" lead="Sends one attempt immediately. The event is marked as a test.">
      <form onSubmit={submit} className="flex flex-wrap items-end gap-3">
        <label className="min-w-0 flex-1 basis-56 flex flex-col gap-1.5 text-sm font-medium">
          Type of event
          <select
            className={inputClass}
            value={type}
            aria-invalid={fields.event_type === undefined ? undefined : true}
            aria-describedby={fields.event_type === undefined ? undefined : 'test-type-fault'}
            onChange={(event) => setType(event.target.value)}
          >
            {webhook.events.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
          <FieldFault id="test-type-fault" fault={fields.event_type} />
        </label>
        <Button type="submit" look="primary" isUnavailable={isBusy}>
          {isBusy ? 'Sending…' : 'Send'}
        </Button>
        <details className="w-full text-sm">
          <summary className="text-soft">Custom values</summary>
          <label className="mt-2 flex flex-col gap-1.5 text-xs text-soft">
            JSON that overrides fields of the sample data
            <textarea
              rows={3}
              spellCheck={false}
              placeholder={'{"amount_xrp":"250.000000"}'}
              value={values}
              aria-invalid={fields.test_data === undefined ? undefined : true}
              aria-describedby={fields.test_data === undefined ? undefined : 'test-data-fault'}
              onChange={(event) => setValues(event.target.value)}
              className={`${inputClass} font-mono text-xs`}
            />
            <FieldFault id="test-data-fault" fault={fields.test_data} />
          </label>
        </details>
      </form>
      <div aria-live="polite" className="mt-4 space-y-3 empty:hidden">
        {fault !== null && <Notice tone="bad">{fault}</Notice>}
        {sent !== null && (
          <>
            <Notice tone={sent.status === 'success' ? 'good' : 'bad'}>
              {sent.status === 'success'
                ? `The receiver answered ${sent.response_code} in ${sent.duration_ms} ms.`
                : `It did not arrive${sent.response_code === null ? '' : `: the receiver answered ${sent.response_code}`}.`}
            </Notice>
            <DeliveryView deliveryId={sent.id} {...reading} />
          </>
        )}
      </div>
    </Card>
  );
}
