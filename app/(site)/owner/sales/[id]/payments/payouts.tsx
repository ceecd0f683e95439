import { listPayouts } from '#lib/payouts/operate/read-payouts.ts';
import { Amount, Xrp } from '../../../../_ui/amounts.tsx';
import { Badge } from '../../../../_ui/badge.tsx';
import { Card } from '../../../../_ui/card.tsx';
import { formatCount } from '../../../../_ui/format.ts';
import { Address, Hash } from '../../../../_ui/hash.tsx';
import { Cell, Table } from '../../../../_ui/table.tsx';
import { Time } from '../../../../_ui/time.tsx';
import { reasonText, STATUS_WORDS } from '../../../../operator/reason-text.ts';
import type { OwnerCtx } from '../../../session.ts';

const SHOWN = 20;
const KINDS = { distribution: 'tokens', refund: 'refund', release: 'release', lock: 'lock', unlock: 'unlock' } as const;

/** What is not sent yet, what was due longest first, with a summary of everything that was. */
export async function Payouts({ ctx, projectId }: { ctx: OwnerCtx; projectId: string }) {
  const [open, all] = await Promise.all([
    listPayouts(ctx, { project_id: projectId, status: 'open', limit: SHOWN }),
    listPayouts(ctx, { project_id: projectId, status: 'all', limit: SHOWN }),
  ]);
  const payouts = open.payouts.length > 0 ? open.payouts : all.payouts;
  if (payouts.length === 0) return null;
  return (
    <div className="mt-8">
      <Card
        title="Payouts"
        lead={
          open.payouts.length > 0
            ? 'Tokens, refunds and releases that are not paid yet, what was due longest first.'
            : 'Everything is paid: tokens, refunds and releases, what was due longest first.'
        }
      >
        <p className="mb-4 flex flex-wrap gap-2">
          {all.summary.map(({ status, reason, payouts: count }) => (
            <Badge key={`${status}-${reason}`}>
              {formatCount(count)} {STATUS_WORDS[status]}
              {reason === null ? '' : `: ${reasonText(reason)}`}
            </Badge>
          ))}
        </p>
        <Table caption="Payouts of the sale" columns={['Due', 'What', 'Amount>', 'To', 'State', 'Transaction']}>
          {payouts.map((payout) => (
            <tr key={payout.id}>
              <Cell>
                <Time at={payout.due_at} />
              </Cell>
              <Cell>{KINDS[payout.kind]}</Cell>
              <Cell isFigure>
                {payout.amount_xrp === null ? (
                  <Amount isExact value={payout.tokens ?? '0'} unit="tokens" />
                ) : (
                  <Xrp isExact value={payout.amount_xrp} />
                )}
              </Cell>
              <Cell>
                <Address address={payout.destination} />
              </Cell>
              <Cell>
                {STATUS_WORDS[payout.status]}
                {payout.reason !== null && <span className="block text-xs text-soft">{reasonText(payout.reason)}</span>}
              </Cell>
              <Cell>{payout.transaction_hash !== null && <Hash hash={payout.transaction_hash} />}</Cell>
            </tr>
          ))}
        </Table>
      </Card>
    </div>
  );
}
