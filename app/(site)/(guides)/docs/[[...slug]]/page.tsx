import { findNeighbour, flattenTree } from 'fumadocs-core/page-tree';
import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { allGuides, DOCS, type Guide, navigation } from '../../_guides/guides.ts';
import { renderGuide } from '../../_guides/markdown.tsx';
import { OnThisPage } from '../../_guides/on-this-page.tsx';

type Props = PageProps<'/docs/[[...slug]]'>;

async function guideAt(params: Props['params']): Promise<Guide> {
  const { slug = [] } = await params;
  const guide = (await allGuides()).get([DOCS, ...slug].join('/'));
  return guide ?? notFound();
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { url, title } = await guideAt(params);
  const listed = flattenTree((await navigation()).children).find((page) => page.url === url);
  return { title, description: listed === undefined ? undefined : String(listed.description) };
}

export default async function GuidePage({ params }: Props) {
  const guide = await guideAt(params);
  const { previous, next } = findNeighbour(await navigation(), guide.url);
  const { article, headings } = await renderGuide(guide);
  return (
    <div className="grid gap-10 xl:grid-cols-[minmax(0,1fr)_13rem]">
      <div className="min-w-0">
        <article className="guide">{article}</article>
        <nav aria-label="Previous and next" className="mt-12 grid gap-3 border-t border-line pt-6 sm:grid-cols-2">
          {[
            { page: previous, said: 'Previous', className: '' },
            { page: next, said: 'Next', className: 'sm:col-start-2 sm:text-right' },
          ].map(
            ({ page, said, className }) =>
              page !== undefined && (
                <Link
                  key={said}
                  href={page.url}
                  prefetch={false}
                  className={`rounded-xl border border-line bg-card p-4 hover:border-line-strong ${className}`}
                >
                  <span className="block text-xs text-soft">{said}</span>
                  <span className="font-medium">{page.name}</span>
                </Link>
              ),
          )}
        </nav>
      </div>
      {headings.length > 1 && (
        <div className="hidden xl:block">
          <div className="sticky top-20 max-h-[calc(100dvh-6rem)] overflow-y-auto pb-8">
            <OnThisPage items={headings} />
          </div>
        </div>
      )}
    </div>
  );
}
