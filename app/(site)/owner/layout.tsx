import type { ReactNode } from 'react';
import { Badge } from '../_ui/badge.tsx';
import { Button } from '../_ui/button.tsx';
import { shortened } from '../_ui/format.ts';
import { Announcements } from '../operator/announcements.tsx';
import { signOut } from './login/actions.ts';
import { OwnerNav } from './owner-nav.tsx';
import { signedIn } from './session.ts';

/** The frame of the console. It shows who works; the pages check for themselves. */
export default async function OwnerLayout({ children }: { children: ReactNode }) {
  const ctx = await signedIn();
  if (ctx === null) return children;
  const { walletAddress, role } = ctx.actor;
  return (
    <Announcements>
      <div className="mb-8 flex flex-wrap items-center justify-between gap-4 border-b border-line pb-4">
        <OwnerNav />
        <form action={signOut} className="flex items-center gap-3 text-sm">
          <span>
            <span className="font-mono text-xs" title={walletAddress}>
              {shortened(walletAddress)}
            </span>{' '}
            <Badge>{role}</Badge>
          </span>
          <Button type="submit" look="quiet">
            Sign out
          </Button>
        </form>
      </div>
      {children}
    </Announcements>
  );
}
