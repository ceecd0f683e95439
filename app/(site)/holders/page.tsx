import type { Metadata } from 'next';
import Link from 'next/link';
import { getStats, listSnapshots } from '#lib/accounts/holders/get-stats.ts';
import { listHolders } from '#lib/accounts/holders/list-holders.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { listProjects } from '#lib/sales/projects/list-projects.ts';
import { pageCtx } from '../_data/page-ctx.ts';
import { Amount } from '../_ui/amounts.tsx';
import { Card } from '../_ui/card.tsx';
import { Empty } from '../_ui/empty.tsx';
import { Fact, Facts } from '../_ui/facts.tsx';
import { currencyName, formatCount } from '../_ui/format.ts';
import { PageHead } from '../_ui/page-head.tsx';
import { Cell, Table } from '../_ui/table.tsx';
import { Time } from '../_ui/time.tsx';
import { WalletLink } from '../_ui/wallet-link.tsx';
import { Histogram } from './histogram.tsx';
import { HoldersOverTime } from './holders-over-time.tsx';
import { percentText } from './percent-text.ts';
import { ShareBar } from './share-bar.tsx';

export const metadata: Metadata = {
  title: 'Holders',
  description: 'Who holds the token, counted from one validated ledger.',
};

const TOP_SHOWN = 25;
const HISTORY_SHOWN = 60;
const MOST_TOKENS = 20;

type Asked = { project_id?: string };

/** What a token is called beside amounts. */
const unitOf = (token: string): string =>
  token.includes('.') ? currencyName(token.slice(0, token.lastIndexOf('.'))) : 'tokens';

async function read(asked: Asked) {
  const ctx = await pageCtx();
  try {
    const [stats, top, history] = await Promise.all([
      getStats(ctx, asked),
      listHolders(ctx, { ...asked, limit: TOP_SHOWN }),
      listSnapshots(ctx, { ...asked, limit: HISTORY_SHOWN }),
    ]);
    return { stats, top, history: history.snapshots.toReversed() };
  } catch (err) {
    if (err instanceof PlatformError && err.status < 500) return null;
    throw err;
  }
}

/** How a token is spread over its holders, as of one ledger. */
export default async function HoldersPage({
  searchParams,
}: {
  searchParams: Promise<{ project_id?: string | string[] }>;
}) {
  const { project_id } = await searchParams;
  const asked: Asked = typeof project_id === 'string' ? { project_id } : {};
  const [found, { projects }] = await Promise.all([
    read(asked),
    listProjects(await pageCtx(), { limit: MOST_TOKENS, withDrafts: false }),
  ]);
  return (
    <>
      <PageHead
        title="Holders"
        lead={
          found === null
            ? 'Who holds a token, counted from one validated ledger.'
            : `Who holds ${unitOf(found.stats.token)}, counted from ledger ${formatCount(found.stats.ledger_index)}.`
        }
      />
      {projects.length > 0 && (
        <nav aria-label="Tokens" className="mb-6 flex flex-wrap gap-2">
          <TokenLink href="/holders" label="Platform token" isHere={asked.project_id === undefined} />
          {projects.map((project) => (
            <TokenLink
              key={project.id}
              href={`/holders?project_id=${project.id}`}
              label={project.name}
              isHere={asked.project_id === project.id}
            />
          ))}
        </nav>
      )}
      {found === null ? (
        <Empty title="Not counted yet">
          Holders are counted from the ledger every hour. Come back after the next run.
        </Empty>
      ) : found.stats.holders === 0 ? (
        <Empty title="Nobody holds it yet">
          Counted <Time at={found.stats.synced_at} />. New holders appear after the next hourly count.
        </Empty>
      ) : (
        <Found {...found} />
      )}
    </>
  );
}

function TokenLink({ href, label, isHere }: { href: string; label: string; isHere: boolean }) {
  return (
    <Link
      href={href}
      prefetch={false}
      aria-current={isHere ? 'page' : undefined}
      className="max-w-64 truncate rounded-full border border-line px-3 py-1.5 text-sm aria-[current=page]:border-accent aria-[current=page]:bg-accent-soft"
    >
      {label}
    </Link>
  );
}

function Found({ stats, top, history }: NonNullable<Awaited<ReturnType<typeof read>>>) {
  const unit = unitOf(stats.token);
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
      <div className="order-2 min-w-0 space-y-6 lg:order-1">
        <Card title="By balance" lead="How many wallets hold how much.">
          <Histogram steps={stats.histogram} unit={unit} />
        </Card>
        <Card title="Largest holders">
          <Table caption="The largest holders by balance" columns={['Rank', 'Wallet', 'Balance>', 'Share>']}>
            {top.holders.map((holder) => (
              <tr key={holder.account}>
                <Cell>{holder.rank}</Cell>
                <Cell>
                  <WalletLink address={holder.account} />
                </Cell>
                <Cell isFigure>
                  <Amount value={holder.balance} unit={unit} />
                </Cell>
                <Cell isFigure>{percentText(holder.share)}</Cell>
              </tr>
            ))}
          </Table>
        </Card>
      </div>
      <div className="order-1 min-w-0 space-y-6 lg:order-2">
        <Card title="Summary">
          <p className="figures text-3xl font-semibold tracking-tight">
            {formatCount(stats.holders)}{' '}
            <span className="text-lg font-normal text-soft">{stats.holders === 1 ? 'holder' : 'holders'}</span>
          </p>
          {stats.change !== null && (
            <p className="mt-1 text-sm text-soft">
              {formatCount(stats.change.added)} came and {formatCount(stats.change.removed)} left since{' '}
              <Time at={stats.change.since} />
            </p>
          )}
          <div className="mt-4">
            <Facts>
              <Fact name="Total held">
                <Amount value={stats.supply} unit={unit} />
              </Fact>
              <Fact name="Median balance">
                {stats.median === null ? '–' : <Amount value={stats.median} unit={unit} />}
              </Fact>
              <Fact name="Gini coefficient">{stats.gini ?? '–'}</Fact>
              <Fact name="Not in circulation">
                <Amount value={stats.excluded.balance} unit={unit} />
              </Fact>
              <Fact name="Counted">
                <Time at={stats.synced_at} />
              </Fact>
            </Facts>
          </div>
        </Card>
        <Card title="Concentration">
          <div className="space-y-4">
            <ShareBar label="The 10 largest" share={stats.top_10_share} />
            <ShareBar label="The 100 largest" share={stats.top_100_share} />
          </div>
        </Card>
        {history.length > 1 && (
          <Card title="Holders over time">
            <HoldersOverTime
              points={history.map(({ holders, ledger_closed_at }) => ({ holders, at: ledger_closed_at }))}
            />
          </Card>
        )}
      </div>
    </div>
  );
}
