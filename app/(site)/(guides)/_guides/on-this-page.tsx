'use client';

import { AnchorProvider, TOCItem, type TOCItemType, useActiveAnchor } from 'fumadocs-core/toc';

function Entry({ item }: { item: TOCItemType }) {
  const isActive = useActiveAnchor() === item.url.slice(1);
  return (
    <li className={item.depth > 2 ? 'pl-3' : ''}>
      <TOCItem
        href={item.url}
        aria-current={isActive ? 'location' : undefined}
        className="block py-0.5 text-soft hover:text-ink aria-[current=location]:font-medium aria-[current=location]:text-ink"
      >
        {item.title}
      </TOCItem>
    </li>
  );
}

/** The headings of a page, with the one that is read. */
export const OnThisPage = ({ items }: { items: readonly TOCItemType[] }) => (
  <AnchorProvider toc={[...items]} single>
    <nav aria-label="On this page" className="text-sm">
      <p className="pb-1 font-semibold">On this page</p>
      <ul>
        {items.map((item) => (
          <Entry key={item.url} item={item} />
        ))}
      </ul>
    </nav>
  </AnchorProvider>
);
