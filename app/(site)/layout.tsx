import Link from 'next/link';
import type { ReactNode } from 'react';
import { Brand } from './_ui/brand.tsx';
import { KeepFocus } from './_ui/keep-focus.tsx';
import { Nav } from './_ui/nav.tsx';
import { ThemeSwitch } from './_ui/theme-switch.tsx';
import { Announcement } from './announcement.tsx';

const FOOT = [
  { href: '/docs', label: 'Documentation' },
  { href: '/reference', label: 'API reference' },
  { href: '/api/openapi.json', label: 'OpenAPI document' },
  { href: '/status', label: 'System status' },
  { href: '/owner', label: 'Owners' },
  { href: '/operator', label: 'Operators' },
] as const;

export default function SiteLayout({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <KeepFocus />
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:z-50 focus:rounded-lg focus:bg-card focus:px-4 focus:py-2"
      >
        Skip to the content
      </a>
      <header className="sticky top-0 z-40 border-b border-line bg-paper/90 backdrop-blur">
        <div className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-6 px-4 py-2 sm:px-6">
          <Link href="/" prefetch={false} className="flex items-center gap-2 py-2 font-semibold tracking-tight">
            <Brand />
            Tranche
          </Link>
          <div className="order-last w-full pb-1 sm:order-none sm:w-auto sm:flex-1 sm:pb-0">
            <Nav />
          </div>
          <div className="ml-auto">
            <ThemeSwitch />
          </div>
        </div>
      </header>
      <Announcement />
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto w-full max-w-6xl flex-1 px-4 py-10 outline-none sm:px-6 sm:py-14"
      >
        {children}
      </main>
      <footer className="border-t border-line">
        <div className="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-x-8 gap-y-3 px-4 py-8 text-sm text-soft sm:px-6">
          <p>Tranche is open source. Every sale on it can be verified from the public ledger.</p>
          <nav aria-label="More" className="flex flex-wrap gap-x-5 gap-y-2">
            {FOOT.map(({ href, label }) => (
              <a key={href} href={href} className="hover:text-ink hover:underline">
                {label}
              </a>
            ))}
          </nav>
        </div>
      </footer>
    </div>
  );
}
