'use client';

import type { DeliveryDetail } from '#lib/webhooks/log/contracts.ts';
import { Badge } from '../../../_ui/badge.tsx';
import { Code } from '../../../_ui/code.tsx';
import { Fact, Facts } from '../../../_ui/facts.tsx';
import { Notice } from '../../../_ui/notice.tsx';
import { Time } from '../../../_ui/time.tsx';
import type { Reading } from '../../use-resource.ts';

/** docs/webhooks.md, "Retries" */
const MOST_ATTEMPTS = 7;

type Attempt = DeliveryDetail['attempt_log'][number];

const pretty = (json: string): string => {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
};

const listed = (headers: Record<string, string> | null): string =>
  Object.entries(headers ?? {})
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

/** One delivery: what was sent, and every attempt with its answer. */
export function DeliveryView({
  deliveryId,
  data,
  fault,
}: Pick<Reading<DeliveryDetail>, 'data' | 'fault'> & { deliveryId: string }) {
  if (data === null || data.id !== deliveryId) {
    return fault === null ? (
      <p role="status" className="text-sm text-soft">
        Reading…
      </p>
    ) : (
      <Notice tone="bad">{fault}</Notice>
    );
  }
  return (
    <div className="space-y-5">
      <div>
        <h3 className="mb-2 text-sm font-semibold">Request</h3>
        {data.request.body === null ? (
          <p className="text-sm text-soft">The payload was removed.</p>
        ) : (
          <Code text={pretty(data.request.body)} label={`the body that was sent in ${deliveryId}`} />
        )}
      </div>
      <div>
        <h3 className="mb-2 text-sm font-semibold">Attempts</h3>
        <ol className="space-y-3">
          {data.attempt_log.length === 0 && (
            <li className="text-sm text-soft">
              {data.pruned ? 'Removed after the retention time.' : 'None yet: the first one starts within seconds.'}
            </li>
          )}
          {data.attempt_log.map((attempt) => (
            <AttemptRow
              key={`${attempt.number}-${attempt.started_at}`}
              attempt={attempt}
              name={`attempt ${attempt.number} of ${deliveryId}`}
            />
          ))}
          {data.status === 'retrying' && data.attempt_log.every((attempt) => saidOf(attempt) !== UNDER_WAY) && (
            <li className="text-sm text-soft">
              Attempt {data.attempts + 1} of {MOST_ATTEMPTS} is scheduled and shown here when it starts.
            </li>
          )}
        </ol>
      </div>
    </div>
  );
}

const UNDER_WAY = 'under way';

const saidOf = ({ error_kind, response_code }: Attempt): string =>
  error_kind ?? (response_code === null ? UNDER_WAY : 'delivered');

function AttemptRow({ attempt, name }: { attempt: Attempt; name: string }) {
  const said = saidOf(attempt);
  const isGood = attempt.error_kind === null && attempt.response_code !== null;
  return (
    <li className="rounded-xl border border-line p-3">
      <p className="flex flex-wrap items-center justify-between gap-2 text-sm">
        <span className="font-medium">
          Attempt {attempt.number}{' '}
          <Badge tone={isGood ? 'good' : attempt.error_kind === null ? 'accent' : 'bad'} isLive={said === UNDER_WAY}>
            {attempt.response_code === null ? said : `${attempt.response_code} ${said}`}
          </Badge>
        </span>
        <span className="text-xs text-soft">
          <Time at={attempt.started_at} />
        </span>
      </p>
      <Facts>
        {attempt.url !== null && (
          <Fact name="To" isLong>
            <span className="font-mono text-xs break-all">{attempt.url}</span>
          </Fact>
        )}
        {attempt.duration_ms !== null && <Fact name="Took">{attempt.duration_ms} ms</Fact>}
        {attempt.retry_after !== null && <Fact name="Retry-After">{attempt.retry_after}</Fact>}
      </Facts>
      {attempt.response_body !== null && attempt.response_body !== '' && (
        <Code text={attempt.response_body} label={`the answer to ${name}`} />
      )}
      <div className="mt-2 space-y-1 text-sm">
        <Headers title="Request headers" headers={attempt.request_headers} name={name} />
        <Headers title="Answer’s headers" headers={attempt.response_headers} name={name} />
      </div>
    </li>
  );
}

const Headers = ({ title, headers, name }: { title: string; headers: Record<string, string> | null; name: string }) =>
  headers === null ? null : (
    <details>
      <summary className="text-xs text-soft">{title}</summary>
      <div className="mt-2">
        <Code text={listed(headers)} label={`${title.toLowerCase()} of ${name}`} />
      </div>
    </details>
  );
