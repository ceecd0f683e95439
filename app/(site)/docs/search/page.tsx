import type { Metadata } from 'next';
import Link from 'next/link';
import { Empty } from '../../_ui/empty.tsx';
import { DOCS, searchGuides } from '../_guides/guides.ts';

export const metadata: Metadata = { title: 'Search the guides', robots: { index: false } };

const LONGEST_QUERY = 200;
/** Of a page beside its own name; the page itself has the rest. */
const MOST_OF_A_PAGE = 4;

/** Markdown marks say nothing in a result; the words that were found are marked by the page. */
const plain = (markdown: string): string =>
  markdown
    .replaceAll(/<\/?mark>/g, '')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '');

export default async function SearchPage({ searchParams }: PageProps<'/docs/search'>) {
  const { q } = await searchParams;
  const query = (typeof q === 'string' ? q : '').trim().slice(0, LONGEST_QUERY);
  const results = query === '' ? [] : await searchGuides(query);
  const pages = results.filter(({ type }) => type === 'page');
  return (
    <article>
      <h1 className="text-3xl font-semibold">{query === '' ? 'Search the guides' : `Results for “${query}”`}</h1>
      {query !== '' && pages.length === 0 && (
        <div className="mt-6">
          <Empty title="Nothing found">Try other or fewer words, or choose a guide from the list.</Empty>
        </div>
      )}
      <ul className="mt-6 space-y-6">
        {pages.map((page) => (
          <li key={page.id}>
            <Link href={page.url} prefetch={false} className="link text-lg font-medium">
              {plain(page.content)}
            </Link>
            <ul className="mt-1 space-y-1">
              {results
                .filter(({ type, url }) => type !== 'page' && url.split('#')[0] === page.url)
                .slice(0, MOST_OF_A_PAGE)
                .map(({ id, url, type, content }) => (
                  <li key={id} className="text-sm">
                    <Link href={url} prefetch={false} className="block text-soft hover:text-ink">
                      <span className={type === 'heading' ? 'font-medium text-ink' : 'line-clamp-2'}>
                        {plain(content)}
                      </span>
                    </Link>
                  </li>
                ))}
            </ul>
          </li>
        ))}
      </ul>
      <p className="mt-10 text-sm">
        <Link href={DOCS} prefetch={false} className="link">
          All guides
        </Link>
      </p>
    </article>
  );
}
