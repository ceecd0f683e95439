'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';

export interface Section {
  name: string;
  pages: readonly { name: string; url: string }[];
}

/** The pages by their readers, with the one that is open. */
export function GuideNav({ label, sections }: { label: string; sections: readonly Section[] }) {
  const pathname = usePathname();
  return (
    <nav aria-label={label} className="space-y-6 text-sm">
      {sections.map(({ name, pages }) => (
        <div key={name}>
          <p className="px-2 pb-1 font-semibold">{name}</p>
          <ul>
            {pages.map((page) => (
              <li key={page.url}>
                <Link
                  href={page.url}
                  prefetch={false}
                  aria-current={pathname === page.url ? 'page' : undefined}
                  className="block rounded-lg px-2 py-1 text-soft hover:text-ink aria-[current=page]:bg-sunken aria-[current=page]:font-medium aria-[current=page]:text-ink"
                >
                  {page.name}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
