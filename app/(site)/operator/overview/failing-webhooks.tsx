import type { FailingWebhook } from '#lib/webhooks/registry/read-webhooks.ts';
import { Badge } from '../../_ui/badge.tsx';
import { Card } from '../../_ui/card.tsx';
import { formatCount } from '../../_ui/format.ts';
import { Notice } from '../../_ui/notice.tsx';
import { Cell, Table } from '../../_ui/table.tsx';
import { Time } from '../../_ui/time.tsx';

/** Webhooks of all tenants that fail: whose host it is, and no more. Our own come first. */
export function FailingWebhooks({ webhooks, total }: { webhooks: readonly FailingWebhook[]; total: number }) {
  return (
    <Card
      title="Failing webhooks"
      lead="Owners see the details in their delivery log. You see neither the events nor the full URL."
    >
      {webhooks.some(({ ours }) => ours) && (
        <div className="mb-4">
          <Notice tone="bad" title="Alerts are not delivered">
            A webhook of the administrators is failing. Repair its receiver, then activate the webhook again.
          </Notice>
        </div>
      )}
      <Table caption="Webhooks that fail or were switched off" columns={['Host', 'Webhook', 'State', 'Since>']}>
        {webhooks.map((webhook) => (
          <tr key={webhook.id}>
            <Cell>
              <span className="break-all">{webhook.host}</span> {webhook.ours && <Badge tone="bad">ours</Badge>}
            </Cell>
            <Cell>
              <span className="font-mono text-xs">{webhook.id}</span>
            </Cell>
            <Cell>
              <Badge tone={webhook.disabledAt === null ? 'warn' : 'bad'}>{stateOf(webhook)}</Badge>
            </Cell>
            <Cell isFigure>
              <Time at={webhook.disabledAt ?? webhook.failingSince ?? ''} />
            </Cell>
          </tr>
        ))}
      </Table>
      {total > webhooks.length && (
        <p className="mt-3 text-sm text-soft">
          {formatCount(webhooks.length)} of {formatCount(total)}, the newest.
        </p>
      )}
    </Card>
  );
}

const stateOf = ({ disabledReason }: FailingWebhook): string => {
  if (disabledReason === null) return 'failing';
  return disabledReason === 'gone' ? 'deactivated: receiver gone (410)' : 'deactivated: five days of failures';
};
