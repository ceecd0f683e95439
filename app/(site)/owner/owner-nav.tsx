'use client';

import { NavLinks } from '../_ui/nav-links.tsx';

const LINKS = [
  { href: '/owner', label: 'My sales' },
  { href: '/owner/members', label: 'Members' },
  { href: '/owner/webhooks', label: 'Webhooks' },
  { href: '/owner/audit', label: 'Audit' },
];

const isAt = (pathname: string, href: string): boolean =>
  href === '/owner' ? pathname === href || pathname.startsWith('/owner/sales') : pathname.startsWith(href);

/** The links of the console. */
export const OwnerNav = () => <NavLinks label="Console" links={LINKS} isAt={isAt} className="-mx-1 gap-1 px-1" />;
