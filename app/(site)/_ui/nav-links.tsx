'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { LinkPending } from './link-pending.tsx';

interface Place {
  readonly href: string;
  readonly label: string;
}

/** Links to places side by side, with the one that the visitor is at. */
export function NavLinks({
  label,
  places,
  isAt,
  className,
}: {
  label: string;
  places: readonly Place[];
  isAt: (pathname: string, href: string) => boolean;
  className: string;
}) {
  const pathname = usePathname();
  return (
    <nav aria-label={label} className={`flex overflow-x-auto ${className}`}>
      {places.map((place) => (
        <Link
          key={place.href}
          href={place.href}
          prefetch={false}
          aria-current={isAt(pathname, place.href) ? 'page' : undefined}
          className="rounded-lg px-2 py-2 text-sm font-medium whitespace-nowrap text-soft hover:bg-sunken hover:text-ink aria-[current=page]:bg-sunken aria-[current=page]:text-ink sm:px-3"
        >
          {place.label}
          <LinkPending />
        </Link>
      ))}
    </nav>
  );
}
