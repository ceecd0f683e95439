'use client';

import { NavLinks } from './nav-links.tsx';

const LINKS = [
  { href: '/', label: 'Sales' },
  { href: '/wallets', label: 'Wallet' },
  { href: '/holders', label: 'Holders' },
  { href: '/developers', label: 'Developers' },
  { href: '/docs', label: 'Docs' },
  { href: '/status', label: 'Status' },
];

const isAt = (pathname: string, href: string): boolean =>
  href === '/' ? pathname === '/' || pathname.startsWith('/sales') : pathname.startsWith(href);

/** The links of the site. */
export const Nav = () => (
  <NavLinks label="Main" links={LINKS} isAt={isAt} className="-mx-2 items-center sm:mx-0 sm:gap-1" />
);
