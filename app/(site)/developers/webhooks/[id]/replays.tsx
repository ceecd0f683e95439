'use client';

import { type FormEvent, useState } from 'react';
import type { Replay, ReplayCount } from '#lib/webhooks/replay/contracts.ts';
import { Button } from '../../../_ui/button.tsx';
import { Card } from '../../../_ui/card.tsx';
import { Field, inputClass } from '../../../_ui/field.tsx';
import { formatCounted } from '../../../_ui/format.ts';
import { Notice } from '../../../_ui/notice.tsx';
import { callApi } from '../../api.ts';
import { useAction } from '../../use-action.ts';
import { useResource } from '../../use-resource.ts';
import { useWebhookAccess } from '../../webhook-access.ts';
import { ReplayLine } from './replay-line.tsx';

const LOOK_AGAIN_MS = 2_000;

/** Sends the events of a time once more: counted first, then started, and watched while it runs. */
export function Replays({ webhookId, types }: { webhookId: string; types: readonly string[] }) {
  const { credential } = useWebhookAccess();
  const path = `/api/webhooks/${webhookId}/replays`;
  const [isRunning, setRunning] = useState(false);
  const {
    data,
    fault: unread,
    again,
  } = useResource<{ replays: Replay[] }>(credential, `${path}?limit=3`, isRunning ? LOOK_AGAIN_MS : null);
  const goesOn = data?.replays.some(isUnderWay) ?? false;
  if (goesOn !== isRunning) setRunning(goesOn);
  const [asked, setAsked] = useState({ from: '', to: '', type: '', all: false });
  const [count, setCount] = useState<ReplayCount | null>(null);
  const { run, isBusy, fault, fields } = useAction(['from', 'to', 'event_types']);
  const change = (part: Partial<typeof asked>) => {
    setAsked({ ...asked, ...part });
    setCount(null);
  };
  const body = () => ({
    from: new Date(asked.from).toISOString(),
    ...(asked.to === '' ? {} : { to: new Date(asked.to).toISOString() }),
    ...(asked.type === '' ? {} : { event_types: [asked.type] }),
    selection: asked.all ? 'all' : 'failed',
  });
  const look = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => setCount(await callApi<ReplayCount>(credential, 'POST', path, { ...body(), dry_run: true })));
  };
  const start = () =>
    run(async () => {
      await callApi<Replay>(credential, 'POST', path, body());
      setCount(null);
      again();
    });
  const cancel = (id: string) =>
    run(async () => {
      await callApi(credential, 'POST', `${path}/${id}/cancel`);
      again();
    });
  return (
    <Card title="Replay" lead="Sends the events of a time range again, at a low rate beside live events.">
      <form onSubmit={look} className="space-y-4">
        <Field
          id="replay-from"
          label="Since (your time)"
          type="datetime-local"
          required
          value={asked.from}
          onChange={(event) => change({ from: event.target.value })}
          fault={fields.from}
        />
        <Field
          id="replay-to"
          label="Until (your time; now when empty)"
          type="datetime-local"
          value={asked.to}
          onChange={(event) => change({ to: event.target.value })}
          fault={fields.to}
        />
        <label className="flex flex-col gap-1.5 text-sm font-medium">
          Events
          <select className={inputClass} value={asked.type} onChange={(event) => change({ type: event.target.value })}>
            <option value="">All subscribed events</option>
            {types.map((type) => (
              <option key={type}>{type}</option>
            ))}
          </select>
        </label>
        <label className="flex items-start gap-3 text-sm">
          <input
            type="checkbox"
            className="mt-0.5 size-4 accent-accent"
            checked={asked.all}
            onChange={(event) => change({ all: event.target.checked })}
          />
          <span>
            Include delivered events
            <span className="block text-xs text-soft">Otherwise only events that were never delivered.</span>
          </span>
        </label>
        {(fault ?? unread) !== null && (
          <Notice tone="bad" isAlert>
            {fault ?? unread}
          </Notice>
        )}
        {count === null ? (
          <Button type="submit" isUnavailable={isBusy}>
            {isBusy ? 'Counting…' : 'Count events'}
          </Button>
        ) : (
          <div className="space-y-3" role="status">
            <p className="text-sm">
              {formatCounted(count.total, 'delivery', 'deliveries')} would be made
              {count.pruned > 0 &&
                `; ${formatCounted(count.pruned, 'event is too old, its', 'events are too old, their')} payload is gone`}
              .
              {count.total === 0 &&
                (asked.all
                  ? ' Choose a longer time or other events.'
                  : ' Every event of this time was delivered: include delivered events to send them again.')}
            </p>
            <Button look="primary" onClick={start} isUnavailable={isBusy || count.total === 0}>
              {isBusy ? 'Starting…' : 'Start the replay'}
            </Button>
          </div>
        )}
      </form>
      {data !== null && data.replays.length > 0 && (
        <ul className="mt-5 space-y-4 border-t border-line pt-4">
          {data.replays.map((replay) => (
            <ReplayLine key={replay.id} replay={replay} isBusy={isBusy} onCancel={() => cancel(replay.id)} />
          ))}
        </ul>
      )}
    </Card>
  );
}

/** Its deliveries go on by themselves once they are written: worth watching until each has ended. */
const isUnderWay = ({ status, written, delivered, failed, cancelled }: Replay): boolean =>
  status === 'running' || (status === 'finished' && delivered + failed + cancelled < written);
