'use client';

import { NavLinks } from '../_ui/nav-links.tsx';

const LINKS = [
  { href: '/operator', label: 'Needs attention' },
  { href: '/operator/projects', label: 'Projects' },
  { href: '/operator/tokens', label: 'Tokens' },
  { href: '/operator/custody', label: 'Custody' },
  { href: '/operator/payments', label: 'Held payments' },
  { href: '/operator/payouts', label: 'Payouts' },
  { href: '/operator/activity', label: 'Activity' },
  { href: '/operator/audit', label: 'Audit' },
];

const isAt = (pathname: string, href: string): boolean =>
  href === '/operator' ? pathname === href : pathname.startsWith(href);

/** The links of the console. */
export const OperatorNav = () => <NavLinks label="Console" links={LINKS} isAt={isAt} className="-mx-1 gap-1 px-1" />;
