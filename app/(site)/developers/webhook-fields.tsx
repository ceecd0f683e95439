'use client';

import type { ReactNode } from 'react';
import type { EventStatus } from '#lib/webhooks/schemas.ts';
import { Button } from '../_ui/button.tsx';
import { Field, FieldFault } from '../_ui/field.tsx';
import { formatCounted } from '../_ui/format.ts';
import { EventSelect } from './event-select.tsx';
import { SaleSelect } from './sale-select.tsx';
import { useWebhookAccess } from './webhook-access.ts';
import type { WebhookForm } from './webhook-form.ts';

const STATUSES: Record<EventStatus, string> = {
  pending_confirmation: 'Investment awaits confirmation',
  confirmed: 'Investment confirmed',
  failed: 'Investment failed',
  operational: 'Platform operational',
  degraded: 'Platform degraded',
  down: 'Platform down',
};
const MOST_HEADERS = 16;

interface Part {
  /** Begins the ids of the fields. */
  id: string;
  form: WebhookForm;
  onChange: (part: Partial<WebhookForm>) => void;
  fields: Record<string, string>;
}

/** The fields of a webhook, for a new one and, with the names of the headers that are set, for one that is there. */
export function WebhookFields(part: Part & { headerNames?: readonly string[] }) {
  const { id, form, onChange, fields, headerNames } = part;
  const { projectId } = useWebhookAccess();
  const events = (
    <EventSelect chosen={form.events} onChoose={(chosen) => onChange({ events: chosen })} fault={fields.events} />
  );
  return (
    <>
      <Field
        id={`${id}-url`}
        label="Address of the receiver"
        type="url"
        placeholder="https://example.org/hook"
        required
        value={form.url}
        onChange={(event) => onChange({ url: event.target.value })}
        hint="https, port 443 or 8443, a public host"
        fault={fields.url}
      />
      <Field
        id={`${id}-description`}
        label="Description (optional)"
        maxLength={500}
        value={form.description}
        onChange={(event) => onChange({ description: event.target.value })}
        fault={fields.description}
      />
      {projectId === null && (
        <SaleSelect chosen={form.project} onChoose={(project) => onChange({ project })} fault={fields.project_id} />
      )}
      {headerNames === undefined ? (
        events
      ) : (
        <Folded
          says={form.events === null ? 'All events' : formatCounted(form.events.length, 'event type')}
          isOpen={fields.events !== undefined}
        >
          {events}
        </Folded>
      )}
      <Folded says={conditionsText(form)} isOpen={fields.min_amount_xrp !== undefined || fields.statuses !== undefined}>
        <Conditions {...part} />
      </Folded>
      <Folded
        says={sendingText(form, headerNames)}
        isOpen={fields.headers !== undefined || fields.rate_limit !== undefined}
      >
        <Headers {...part} headerNames={headerNames ?? []} />
        <Field
          id={`${id}-rate-limit`}
          label="Rate limit (attempts a second)"
          type="number"
          inputMode="numeric"
          min={1}
          max={1_000}
          value={form.rateLimit}
          onChange={(event) => onChange({ rateLimit: event.target.value })}
          hint="1 to 1,000; empty for no limit of your own. What is above it waits."
          fault={fields.rate_limit}
        />
      </Folded>
    </>
  );
}

const listed = (name: string, parts: readonly string[]): string =>
  parts.length === 0 ? name : `${name}: ${parts.join(', ')}`;

const conditionsText = ({ minAmount, statuses }: WebhookForm): string =>
  listed('Conditions', [
    ...(minAmount === '' ? [] : [`from ${minAmount} XRP`]),
    ...(statuses === null ? [] : [formatCounted(statuses.length, 'status', 'statuses')]),
  ]);

const sendingText = ({ rateLimit }: WebhookForm, headerNames: readonly string[] = []): string =>
  listed('Headers and rate limit', [
    ...(headerNames.length === 0 ? [] : [formatCounted(headerNames.length, 'header')]),
    ...(rateLimit === '' ? [] : [`${rateLimit} a second`]),
  ]);

/** What most leave as it is. */
function Folded({ says, isOpen, children }: { says: string; isOpen: boolean; children: ReactNode }) {
  return (
    <details open={isOpen || undefined}>
      <summary className="text-sm font-medium">{says}</summary>
      <div className="mt-3 space-y-4">{children}</div>
    </details>
  );
}

function Conditions({ id, form, onChange, fields }: Part) {
  const turn = (status: EventStatus, isOn: boolean) => {
    const others = (form.statuses ?? []).filter((one) => one !== status);
    const chosen = isOn ? [...others, status] : others;
    onChange({ statuses: chosen.length === 0 ? null : chosen });
  };
  return (
    <>
      <Field
        id={`${id}-min-amount`}
        label="Minimum amount (XRP)"
        inputMode="decimal"
        autoComplete="off"
        value={form.minAmount}
        onChange={(event) => onChange({ minAmount: event.target.value })}
        hint="Leaves out events of a smaller amount; empty for any. Events without an amount are sent."
        fault={fields.min_amount_xrp}
      />
      <fieldset className="space-y-2" aria-describedby={`${id}-statuses-hint`}>
        <legend className="text-sm font-medium">Statuses</legend>
        <ul className="grid gap-2 sm:grid-cols-2">
          {(Object.entries(STATUSES) as [EventStatus, string][]).map(([status, says]) => (
            <li key={status}>
              <label className="flex items-start gap-3 text-sm">
                <input
                  type="checkbox"
                  className="mt-0.5 size-4 accent-accent"
                  checked={form.statuses?.includes(status) ?? false}
                  onChange={(event) => turn(status, event.target.checked)}
                />
                {says}
              </label>
            </li>
          ))}
        </ul>
        <p id={`${id}-statuses-hint`} className="text-xs text-soft">
          None chosen: of any status. Events without a status are sent.
        </p>
        <FieldFault id={`${id}-statuses-fault`} fault={fields.statuses} />
      </fieldset>
    </>
  );
}

function Headers({ id, form, onChange, fields, headerNames }: Part & { headerNames: readonly string[] }) {
  const { headers } = form;
  if (headers === null) {
    return (
      <div className="space-y-2 text-sm">
        <p className="font-medium">Headers of your own</p>
        {headerNames.length > 0 && <p className="font-mono text-xs break-all">{headerNames.join(', ')}</p>}
        <p className="text-xs text-soft">Sent with every attempt. Their values are stored encrypted and not shown.</p>
        <Button onClick={() => onChange({ headers: [...headerNames.map((name) => ({ name, value: '' })), ...BLANK] })}>
          {headerNames.length === 0 ? 'Set headers' : 'Replace them'}
        </Button>
      </div>
    );
  }
  const set = (at: number, header: Partial<(typeof headers)[number]>) =>
    onChange({ headers: headers.map((one, index) => (index === at ? { ...one, ...header } : one)) });
  return (
    <fieldset className="space-y-3">
      <legend className="text-sm font-medium">Headers of your own</legend>
      <p className="text-xs text-soft">
        Sent with every attempt, for example for a gateway that wants a key. Values are stored encrypted and never shown
        again.{headerNames.length > 0 && ' These replace all that are set; remove them all to send none.'}
      </p>
      {headers.map(({ name, value }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is known by its place alone.
        <div key={at} className="space-y-2 rounded-lg border border-line p-3">
          <Field
            id={`${id}-header-${at}-name`}
            label={`Name of header ${at + 1}`}
            placeholder="x-api-key"
            autoComplete="off"
            spellCheck={false}
            maxLength={64}
            value={name}
            onChange={(event) => set(at, { name: event.target.value })}
          />
          <Field
            id={`${id}-header-${at}-value`}
            label={`Value of header ${at + 1}`}
            autoComplete="off"
            spellCheck={false}
            maxLength={1_024}
            value={value}
            onChange={(event) => set(at, { value: event.target.value })}
          />
          <Button look="quiet" onClick={() => onChange({ headers: headers.filter((_, index) => index !== at) })}>
            Remove header {at + 1}
          </Button>
        </div>
      ))}
      <FieldFault id={`${id}-headers-fault`} fault={fields.headers} />
      {headers.length < MOST_HEADERS && (
        <Button onClick={() => onChange({ headers: [...headers, ...BLANK] })}>Add a header</Button>
      )}
    </fieldset>
  );
}

const BLANK = [{ name: '', value: '' }];
