import type { Metadata } from 'next';
import Link from 'next/link';
import { Empty } from '../../../_ui/empty.tsx';
import { DOCS } from '../../_guides/guides.ts';
import { searchGuides } from '../../_guides/search.ts';

export const metadata: Metadata = { title: 'Search the guides', robots: { index: false } };

const LONGEST_QUERY = 200;
/** Of one page; it has the rest itself. */
const MOST_OF_A_PAGE = 4;

/** Markdown marks say nothing in a result. */
const plain = (markdown: string): string => markdown.replaceAll(/[`*|#]|^[-:|\s]+$/gm, ' ').replaceAll(/\s+/g, ' ');

export default async function SearchPage({ searchParams }: PageProps<'/docs/search'>) {
  const { q } = await searchParams;
  const query = (typeof q === 'string' ? q : '').trim().slice(0, LONGEST_QUERY);
  const results = query === '' ? [] : await searchGuides(query);
  const pages = Object.entries(Object.groupBy(results, ({ page }) => page));
  return (
    <article>
      <h1 className="text-3xl font-semibold">{query === '' ? 'Search the guides' : `Results for “${query}”`}</h1>
      {query !== '' && pages.length === 0 && (
        <div className="mt-6">
          <Empty title="Nothing found">Try other or fewer words, or choose a guide from the list.</Empty>
        </div>
      )}
      {pages.map(([page, found = []]) => (
        <section key={page} aria-label={page} className="mt-8">
          <h2 className="text-sm font-semibold text-soft">{page}</h2>
          <ul className="mt-1 space-y-3">
            {found.slice(0, MOST_OF_A_PAGE).map(({ url, heading, text }) => (
              <li key={`${url} ${text}`}>
                <Link href={url} prefetch={false} className="link font-medium">
                  {heading}
                </Link>
                <p className="line-clamp-2 text-sm text-soft">{plain(text)}</p>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <p className="mt-10 text-sm">
        <Link href={DOCS} prefetch={false} className="link">
          All guides
        </Link>
      </p>
    </article>
  );
}
