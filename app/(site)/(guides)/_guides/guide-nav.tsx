'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';

interface Page {
  name: string;
  url: string;
  /** Shown while one of them is open. */
  beneath?: readonly Page[];
}

export interface Section {
  name: string;
  pages: readonly Page[];
}

/** The pages by their readers, with the one that is open. */
export function GuideNav({ label, sections }: { label: string; sections: readonly Section[] }) {
  const pathname = usePathname();
  // The section that is open stands first where the list is long: nobody scrolls for what is being read.
  const isOpen = ({ pages }: Section) => pages.some(({ beneath }) => beneath?.some(({ url }) => url === pathname));
  const shown = [...sections.filter(isOpen), ...sections.filter((section) => !isOpen(section))];
  const list = (pages: readonly Page[]) => (
    <ul>
      {pages.map(({ name, url, beneath = [] }) => (
        <li key={url}>
          <Link
            href={url}
            prefetch={false}
            aria-current={pathname === url ? 'page' : undefined}
            className="block rounded-lg px-2 py-1 break-words text-soft hover:text-ink aria-[current=page]:bg-sunken aria-[current=page]:font-medium aria-[current=page]:text-ink"
          >
            {name}
          </Link>
          {beneath.some((page) => page.url === pathname) && <div className="pl-3">{list(beneath)}</div>}
        </li>
      ))}
    </ul>
  );
  return (
    <nav aria-label={label} className="space-y-6 text-sm">
      {shown.map(({ name, pages }) => (
        <div key={name}>
          <p className="px-2 pb-1 font-semibold">{name}</p>
          {list(pages)}
        </div>
      ))}
    </nav>
  );
}
