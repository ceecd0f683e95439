import type { ReactNode } from 'react';
import { GuideNav, type Section } from './_guides/guide-nav.tsx';
import { navigation } from './_guides/guides.ts';
import { SearchForm } from './_guides/search-form.tsx';
import { entryUrl, REFERENCE, reference } from './_reference/document.ts';
import './guide.css';

type Page = Section['pages'][number];

/** The guides by their readers, and the reference by its parts. */
async function sections(): Promise<Section[]> {
  const found: { name: string; pages: Page[] }[] = [];
  for (const node of (await navigation()).children) {
    if (node.type === 'separator') found.push({ name: String(node.name), pages: [] });
    if (node.type === 'page') found.at(-1)?.pages.push({ name: String(node.name), url: node.url });
  }
  const parts = (await reference()).parts.map(({ name, entries }) => ({
    name,
    url: `${REFERENCE}#${name}`,
    beneath: entries.map(({ id }) => ({ name: id, url: entryUrl(id) })),
  }));
  return [...found, { name: 'API reference', pages: [{ name: 'Overview', url: REFERENCE }, ...parts] }];
}

export default async function GuidesLayout({ children }: { children: ReactNode }) {
  const all = await sections();
  return (
    <div className="grid gap-x-10 gap-y-6 lg:grid-cols-[13rem_minmax(0,1fr)]">
      <div className="lg:sticky lg:top-20 lg:max-h-[calc(100dvh-6rem)] lg:overflow-y-auto lg:pb-8">
        <SearchForm />
        <details className="mt-4 rounded-xl border border-line bg-card p-3 lg:hidden">
          <summary className="text-sm font-medium">All guides</summary>
          <div className="pt-3">
            <GuideNav label="Guides, folded" sections={all} />
          </div>
        </details>
        <div className="mt-6 hidden lg:block">
          <GuideNav label="Guides" sections={all} />
        </div>
      </div>
      <div className="min-w-0">{children}</div>
    </div>
  );
}
