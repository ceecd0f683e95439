'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { LinkPending } from './link-pending.tsx';

interface NavLink {
  readonly href: string;
  readonly label: string;
}

/** Links to links side by side, with the one that the visitor is at. */
export function NavLinks({
  label,
  links,
  isAt,
  className,
}: {
  label: string;
  links: readonly NavLink[];
  isAt: (pathname: string, href: string) => boolean;
  className: string;
}) {
  const pathname = usePathname();
  return (
    <nav aria-label={label} className={`flex overflow-x-auto ${className}`}>
      {links.map((link) => (
        <Link
          key={link.href}
          href={link.href}
          prefetch={false}
          aria-current={isAt(pathname, link.href) ? 'page' : undefined}
          className="rounded-lg px-2 py-2 text-sm font-medium whitespace-nowrap text-soft hover:bg-sunken hover:text-ink aria-[current=page]:bg-sunken aria-[current=page]:text-ink sm:px-3"
        >
          {link.label}
          <LinkPending />
        </Link>
      ))}
    </nav>
  );
}
