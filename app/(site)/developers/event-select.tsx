'use client';

import type { EventTypeEntry } from '#lib/webhooks/contracts.ts';
import { FieldFault } from '../_ui/field.tsx';
import { useResource } from './use-resource.ts';

/** Which types of event to receive; null is all of them, those to come included. */
export function EventSelect({
  chosen,
  onChoose,
  fault,
}: {
  chosen: readonly string[] | null;
  onChoose: (events: string[] | null) => void;
  fault: string | undefined;
}) {
  const { data } = useResource<{ event_types: EventTypeEntry[] }>(null, '/api/webhooks/event-types');
  const types = (data?.event_types ?? []).filter(({ recipients }) => recipients !== 'administrators');
  const turn = (type: string, isOn: boolean) => {
    const now = chosen ?? types.map((one) => one.type);
    onChoose(isOn ? [...now, type] : now.filter((one) => one !== type));
  };
  return (
    <fieldset className="space-y-2">
      <legend className="text-sm font-medium">Events</legend>
      <label className="flex items-center gap-3 text-sm">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={chosen === null}
          aria-invalid={fault === undefined ? undefined : true}
          aria-describedby={fault === undefined ? undefined : 'events-fault'}
          onChange={(event) => onChoose(event.target.checked ? null : types.map((one) => one.type))}
        />
        All of them
      </label>
      <FieldFault id="events-fault" fault={fault} />
      {chosen !== null && (
        <ul className="grid gap-2 sm:grid-cols-2">
          {types.map(({ type, description }) => (
            <li key={type}>
              <label className="flex items-start gap-3 text-sm">
                <input
                  type="checkbox"
                  className="mt-0.5 size-4 accent-accent"
                  checked={chosen.includes(type)}
                  onChange={(event) => turn(type, event.target.checked)}
                />
                <span>
                  <code className="font-mono text-xs">{type}</code>
                  <span className="block text-xs text-soft">{description}</span>
                </span>
              </label>
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  );
}
