import Link from 'next/link';
import type { PlatformIdStatus } from '#lib/accounts/platform-ids/contracts.ts';
import type { InvestmentResource } from '#lib/sales/schemas.ts';
import type { Readiness } from '../../_data/read-readiness.ts';
import { tokenUnit } from '../../_ui/amounts.tsx';
import { Card } from '../../_ui/card.tsx';
import { Notice } from '../../_ui/notice.tsx';
import { GetPlatformId } from './get-platform-id.tsx';

/** What the wallet's owner can do now, the most pressing first. Nothing at all is a good answer too. */
export function NextSteps({
  status,
  readiness,
  investments,
}: {
  status: PlatformIdStatus;
  readiness: Readiness[];
  investments: InvestmentResource[];
}) {
  const waiting = new Set(
    investments
      .filter(({ payouts }) => payouts.some((part) => part.status === 'waiting_holder'))
      .map(({ project_id }) => project_id),
  );
  const blocked = readiness.filter(({ project, wallet }) => waiting.has(project.id) && wallet?.ready === false);
  const held = investments.filter(({ payouts, refunds }) =>
    [...payouts, ...refunds].some((part) => part.status === 'held'),
  );
  const mayHaveId = status.eligible && !status.has_platform_id;
  const isCalm = blocked.length === 0 && held.length === 0 && !mayHaveId;
  return (
    <Card title="What to do next">
      <div className="space-y-3">
        {blocked.map(({ project }) => (
          <Notice key={project.id} tone="warn" title={`Tokens of ${project.name} wait for you`}>
            Your wallet cannot take {tokenUnit(project.token)} yet.{' '}
            <Link className="link" prefetch={false} href={`/sales/${project.slug}#receive`}>
              See how to make it ready
            </Link>
            ; they are sent a few minutes later, at the latest.
          </Notice>
        ))}
        {held.length > 0 && (
          <Notice tone="warn" title="Something is held">
            An operator looks at it. The receipt of the investment says why.
          </Notice>
        )}
        {mayHaveId && (
          <Notice title="You may have a Platform ID">
            <GetPlatformId wallet={status.wallet_address} />
          </Notice>
        )}
        {isCalm && <p className="text-sm text-soft">Nothing. Due payouts are sent automatically.</p>}
      </div>
    </Card>
  );
}
