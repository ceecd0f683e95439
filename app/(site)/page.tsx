import Link from 'next/link';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { pageCtx } from './_data/page-ctx.ts';
import { readSales } from './_data/public-reads.ts';
import { type SaleState, saleStateOf } from './_data/sale-state.ts';
import { Empty } from './_ui/empty.tsx';
import { PageHead } from './_ui/page-head.tsx';
import { Hero } from './hero.tsx';
import { SaleCard } from './sale-card.tsx';

const GROUPS: { title: string; keys: readonly SaleState['key'][] }[] = [
  { title: 'Open now', keys: ['live'] },
  { title: 'Coming up', keys: ['between_tiers', 'upcoming'] },
  { title: 'Paused', keys: ['paused'] },
  { title: 'Over', keys: ['ended', 'cancelled'] },
];

export default async function SalesPage({ searchParams }: { searchParams: Promise<{ cursor?: string }> }) {
  const ctx = await pageCtx();
  const { cursor } = await searchParams;
  const { projects, next_cursor } = await readSales(ctx, cursor);
  const isFirst = cursor === undefined;
  const nowMs = ctx.clock.nowMs();
  const shown = projects.map((project) => ({ project, state: saleStateOf(project, nowMs) }));
  return (
    <>
      {isFirst ? <Hero /> : <PageHead title="Older sales" />}
      {shown.length === 0 && (
        <Empty title="No sale yet">
          Sales appear here when an operator launches one. Developers can already{' '}
          <Link className="link" href="/developers">
            create an API key
          </Link>
          .
        </Empty>
      )}
      <div id="sales" tabIndex={-1} className="scroll-mt-20 space-y-12 outline-none">
        {GROUPS.map(({ title, keys }) => {
          const group = shown.filter(({ state }) => keys.includes(state.key));
          return group.length === 0 ? null : <SaleGroup key={title} title={title} sales={group} />;
        })}
      </div>
      {next_cursor !== null && (
        <p className="mt-10 text-center">
          <Link className="link text-sm" href={`/?cursor=${encodeURIComponent(next_cursor)}`}>
            Older sales
          </Link>
        </p>
      )}
    </>
  );
}

function SaleGroup({ title, sales }: { title: string; sales: { project: ProjectResource; state: SaleState }[] }) {
  const isAlone = sales.length === 1;
  return (
    <section aria-label={title}>
      <h2 className="mb-4 text-sm font-medium text-soft">{title}</h2>
      <ul className={`grid gap-5 ${isAlone ? '' : 'md:grid-cols-2'}`}>
        {sales.map(({ project, state }) => (
          <li key={project.id} className="min-w-0">
            <SaleCard project={project} state={state} isWide={isAlone} />
          </li>
        ))}
      </ul>
    </section>
  );
}
