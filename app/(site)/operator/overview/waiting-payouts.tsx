import Link from 'next/link';
import { Badge, type Tone } from '../../_ui/badge.tsx';
import { Card } from '../../_ui/card.tsx';
import { formatCount, formatDuration } from '../../_ui/format.ts';
import { Cell, Table } from '../../_ui/table.tsx';
import { addressWith } from '../query-of.ts';
import { reasonText, STATUS_WORDS } from '../reason-text.ts';

type Status = keyof typeof STATUS_WORDS;

interface Row {
  status: Status;
  reason: string | null;
  payouts: number;
  overdue: number;
  oldest_age_seconds: number;
}

const TONES: Partial<Record<Status, Tone>> = { held: 'bad', waiting_holder: 'warn' };

/** What is owed and not on its way, by state and reason; missing trust lines are among them. */
export function WaitingPayouts({ rows }: { rows: readonly Row[] }) {
  return (
    <Card
      title="Waiting payouts"
      lead="A payout that waits for its holder is sent automatically once the holder can receive it."
      aside={
        <Link className="link text-sm" prefetch={false} href="/operator/payouts">
          All payouts
        </Link>
      }
    >
      <Table
        caption="Waiting payouts by status and reason"
        columns={['Why', 'State', 'Payouts>', 'Overdue>', 'Oldest>']}
      >
        {rows.map((row) => (
          <tr key={`${row.status}-${row.reason}`}>
            <Cell>
              <Link
                className="link inline-block min-w-44"
                prefetch={false}
                href={addressWith('/operator/payouts', { status: row.status, reason: row.reason ?? '' }, {})}
              >
                {reasonText(row.reason) || 'Not checked yet'}
              </Link>
            </Cell>
            <Cell>
              <Badge tone={TONES[row.status] ?? 'neutral'}>{STATUS_WORDS[row.status]}</Badge>
            </Cell>
            <Cell isFigure>{formatCount(row.payouts)}</Cell>
            <Cell isFigure>{formatCount(row.overdue)}</Cell>
            <Cell isFigure>{formatDuration(row.oldest_age_seconds)}</Cell>
          </tr>
        ))}
      </Table>
    </Card>
  );
}
