import Link from 'next/link';
import type { ApprovalResource } from '#lib/sales/approvals/contracts.ts';
import { Xrp } from '../../_ui/amounts.tsx';
import { Card } from '../../_ui/card.tsx';
import { Cell, Table } from '../../_ui/table.tsx';
import { Time } from '../../_ui/time.tsx';

/** What somebody asked for, and another person decides. */
export function OpenApprovals({ approvals, hasMore }: { approvals: readonly ApprovalResource[]; hasMore: boolean }) {
  return (
    <Card
      title="Requests for approval"
      lead="Read what would be done on the sale’s page, then approve or refuse it. Somebody else than who asked decides."
    >
      <Table caption="Open requests, the newest first" columns={['Request', 'Sale', 'Asked by', 'Why', 'Lapses>']}>
        {approvals.map((approval) => (
          <tr key={approval.id}>
            <Cell>
              <Link
                className="link whitespace-nowrap"
                prefetch={false}
                href={`/operator/projects/${approval.project_id}#approvals`}
              >
                {approval.release === null ? (
                  'Launch'
                ) : (
                  <>
                    Release of <Xrp value={approval.release.amount_xrp} />
                  </>
                )}
              </Link>
            </Cell>
            <Cell>{approval.project_name}</Cell>
            <Cell>{approval.requested_by.name}</Cell>
            <Cell>{approval.reason}</Cell>
            <Cell isFigure>
              <Time at={approval.expires_at} />
            </Cell>
          </tr>
        ))}
      </Table>
      {hasMore && <p className="mt-3 text-sm text-soft">The newest {approvals.length}; there are more.</p>}
    </Card>
  );
}
