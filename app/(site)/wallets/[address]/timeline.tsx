import Link from 'next/link';
import type { InvestmentResource, ProjectResource } from '#lib/sales/schemas.ts';
import { Tokens, Xrp } from '../../_ui/amounts.tsx';
import { Card } from '../../_ui/card.tsx';
import { Empty } from '../../_ui/empty.tsx';
import { InvestmentBadge } from '../../_ui/investment-badge.tsx';
import { keptOf, OfPaid } from '../../_ui/kept-amount.tsx';
import { Steps } from '../../_ui/steps.tsx';
import { Time } from '../../_ui/time.tsx';
import { stepsOf } from '../../sales/[slug]/payment-steps.ts';

/** The wallet's investments, the newest first, each with everything that was and will be sent for it. */
export function Timeline({
  investments,
  projects,
  wallet,
  nextCursor,
}: {
  investments: InvestmentResource[];
  projects: ProjectResource[];
  wallet: string;
  nextCursor: string | null;
}) {
  const projectOf = new Map(projects.map((project) => [project.id, project]));
  return (
    <Card title="Investments">
      {investments.length === 0 && (
        <Empty title="No investment yet">
          Choose one of{' '}
          <Link href="/" prefetch={false} className="link">
            the sales
          </Link>{' '}
          and pay from this wallet: the payment appears here seconds after its ledger closes.
        </Empty>
      )}
      <ol className="space-y-3">
        {investments.map((investment, index) => (
          <Entry
            key={investment.id}
            investment={investment}
            project={projectOf.get(investment.project_id)}
            isFirst={index === 0}
          />
        ))}
      </ol>
      {nextCursor !== null && (
        <p className="mt-6 text-center text-sm">
          <Link className="link" prefetch={false} href={`/wallets/${wallet}?cursor=${encodeURIComponent(nextCursor)}`}>
            Older
          </Link>
        </p>
      )}
    </Card>
  );
}

/** One investment; open while something of it is on its way. */
function Entry({
  investment,
  project,
  isFirst,
}: {
  investment: InvestmentResource;
  project: ProjectResource | undefined;
  isFirst: boolean;
}) {
  const { steps, isOpen } = stepsOf(investment, project ?? { distribution: 'immediate' });
  return (
    <li>
      <details open={isFirst || isOpen} className="rounded-xl border border-line">
        <summary className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-2 rounded-xl p-4 hover:bg-sunken">
          <span>
            <span className="font-medium">
              <Xrp value={keptOf(investment)} />
              {project !== undefined && ` in ${project.name}`}
            </span>
            <span className="block text-sm text-soft empty:hidden">
              <OfPaid investment={investment} />
            </span>
            <span className="block text-sm text-soft">
              {project !== undefined && investment.total_tokens !== null && investment.status !== 'failed' && (
                <>
                  <Tokens value={investment.total_tokens} token={project.token} />,{' '}
                </>
              )}
              <Time at={investment.created_at} />
            </span>
          </span>
          <InvestmentBadge investment={investment} />
        </summary>
        <div className="px-4 pt-1 pb-4">
          <Steps steps={steps} />
          <p className="mt-3 text-sm">
            <Link href={`/investments/${investment.id}`} prefetch={false} className="link">
              Receipt
            </Link>
          </p>
        </div>
      </details>
    </li>
  );
}
