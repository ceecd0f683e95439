import type { Job } from '#lib/jobs/contracts.ts';
import { Badge, type Tone } from '../../_ui/badge.tsx';
import { Card } from '../../_ui/card.tsx';
import { formatDuration } from '../../_ui/format.ts';
import { Cell, Table } from '../../_ui/table.tsx';
import { Time } from '../../_ui/time.tsx';

const STATES: Record<Job['state'], { said: string; tone: Tone }> = {
  never: { said: 'not run yet', tone: 'neutral' },
  idle: { said: 'on time', tone: 'good' },
  running: { said: 'running', tone: 'good' },
  broken_off: { said: 'broke off', tone: 'bad' },
};

/** Background work by name. */
export function Jobs({ jobs }: { jobs: readonly Job[] }) {
  return (
    <Card title="Background jobs" lead="A job is late when its cron did not start it on time.">
      <Table caption="Jobs" columns={['Job', 'State', 'Runs every', 'Last start', 'Last error within a week']}>
        {jobs.map((job) => {
          const state = job.late === true ? ({ said: 'late', tone: 'bad' } as const) : STATES[job.state];
          return (
            <tr key={job.name}>
              <Cell>
                <span className="whitespace-nowrap">{job.name}</span>
              </Cell>
              <Cell>
                <Badge tone={state.tone}>{state.said}</Badge>
              </Cell>
              <Cell>{job.every_seconds === null ? 'When needed' : formatDuration(job.every_seconds)}</Cell>
              <Cell>{job.last_started_at === null ? 'Never' : <Time at={job.last_started_at} />}</Cell>
              <Cell>
                {job.last_fault === null ? (
                  'None'
                ) : (
                  <>
                    {job.last_fault.what} (<Time at={job.last_fault.at} />)
                  </>
                )}
              </Cell>
            </tr>
          );
        })}
      </Table>
    </Card>
  );
}
