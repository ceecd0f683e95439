'use client';

import type { Replay } from '#lib/webhooks/replay/contracts.ts';
import { Badge } from '../../../_ui/badge.tsx';
import { Button } from '../../../_ui/button.tsx';
import { formatCount } from '../../../_ui/format.ts';
import { Meter } from '../../../_ui/meter.tsx';
import { Time } from '../../../_ui/time.tsx';

const PERCENT = 100;

/** One replay with how far it has come. */
export function ReplayLine({ replay, isBusy, onCancel }: { replay: Replay; isBusy: boolean; onCancel: () => void }) {
  const ended = replay.delivered + replay.failed + replay.cancelled;
  return (
    <li className="space-y-2 text-sm">
      <p className="flex flex-wrap items-center justify-between gap-2">
        <Badge tone={replay.status === 'running' ? 'accent' : 'neutral'}>{replay.status}</Badge>
        <span className="text-xs text-soft">
          <Time at={replay.created_at} />
        </span>
      </p>
      <Meter
        percent={replay.total === 0 ? PERCENT : (ended / replay.total) * PERCENT}
        label={`${ended} of ${replay.total} ended`}
      />
      <p className="figures text-xs text-soft" role="status">
        {formatCount(replay.written)} of {formatCount(replay.total)} written, {formatCount(replay.delivered)} delivered,{' '}
        {formatCount(replay.failed)} failed
        {replay.cancelled > 0 && `, ${formatCount(replay.cancelled)} cancelled`}
      </p>
      {replay.status === 'running' && (
        <Button look="quiet" onClick={onCancel} isUnavailable={isBusy}>
          Cancel the replay
        </Button>
      )}
    </li>
  );
}
