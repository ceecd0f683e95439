import Link from 'next/link';
import type { Readiness } from '../../_data/read-readiness.ts';
import { Amount, tokenUnit } from '../../_ui/amounts.tsx';
import { Badge, type Tone } from '../../_ui/badge.tsx';
import { Card } from '../../_ui/card.tsx';
import { Empty } from '../../_ui/empty.tsx';

const PROBLEMS: Record<string, { says: string; tone: Tone }> = {
  not_funded: { says: 'The wallet is not on the ledger yet', tone: 'warn' },
  missing: { says: 'Not set yet', tone: 'warn' },
  not_authorized: { says: 'The issuer has not authorised it', tone: 'warn' },
  frozen: { says: 'Frozen by the issuer', tone: 'bad' },
};

/** Whether the wallet can take the tokens of the sales that matter to it. */
export function TrustLines({ readiness }: { readiness: Readiness[] }) {
  return (
    <Card title="Ready to receive">
      {readiness.length === 0 && (
        <Empty title="No sale is open">What this wallet needs is shown here as soon as a sale is announced.</Empty>
      )}
      <ul className="divide-y divide-line text-sm">
        {readiness.map(({ project, wallet }) => {
          const problem = wallet?.problem == null ? null : PROBLEMS[wallet.problem];
          return (
            <li key={project.id} className="space-y-1 py-3">
              <p className="flex flex-wrap items-baseline justify-between gap-3">
                <Link href={`/sales/${project.slug}`} prefetch={false} className="link">
                  {project.token.kind === 'iou' ? tokenUnit(project.token) : 'Tokens'} of {project.name}
                </Link>
                {wallet === null ? (
                  <Badge>The ledger did not answer</Badge>
                ) : (
                  <Badge tone={problem?.tone ?? 'good'}>{problem?.says ?? 'Ready'}</Badge>
                )}
              </p>
              {wallet?.balance != null && (
                <p className="text-soft">
                  Holds <Amount value={wallet.balance} unit={tokenUnit(project.token)} />
                </p>
              )}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
